#!/bin/sh
# Asks its best price each time; at the last decision it accepts any price within its range.
set -f; IFS=" $(printf '\r')" # words end at spaces, and at the CR of a line that ends in CRLF
while read -r line; do
    set -- $line # the words of the line: $1, $2, ...
    case $1 in
        haggle) echo "id hardliner 1"; echo "ready 1" ;;
        game) role=$3 rounds=$7 ;;
        turn | ask) # $3 is the round, $5 the opener, $7 the range, ${11} the standing offer
            low=${7%,*} high=${7#*,}
            case $role in seller) best=$high ;; *) best=$low ;; esac
            if [ "$3" -lt "$rounds" ] || [ "$5" = "$role" ]; then echo "move offer $best"
            elif [ "${11}" -ge "$low" ] && [ "${11}" -le "$high" ]; then echo "move accept"
            else echo "move walk"; fi ;;
        refused) [ "${line%one more try*}" = "$line" ] || echo "move walk" ;;
        quit) exit ;;
    esac
done
