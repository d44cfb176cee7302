#!/bin/sh
# Give a class accounts that can do nothing but run negotiation-tui over SSH. As root:
#   sh class.sh accounts 30   accounts student01 … student30, each with a folder
#   sh class.sh add NAME      one more account, for a student who comes late
#   sh class.sh guest         one account, guest: each login is a new folder
#   sh class.sh remove        end all sessions, and remove the accounts; files stay, as root's
# The accounts and passwords are in /srv/haggle/passwords, which root alone can read.
set -eu
umask 077
top=/srv/haggle settings=/etc/ssh/sshd_config.d/haggle.conf

refuse() {
    echo "$1" >&2
    exit 2
}

add() { # ACCOUNT FOLDER
    [ ! -e "$2" ] || refuse "$2 exists: no new account owns old files"
    useradd --gid haggle --home-dir $top/home --no-create-home --shell /bin/sh -- "$1"
    secret=$(od -An -N6 -tx1 /dev/urandom | tr -d ' ')
    echo "$1:$secret" | chpasswd
    install -d -o "$1" -g haggle -m 700 "$2"
    echo "$1  $secret" >>$top/passwords
}

begin() { # FOLDERS
    [ ! -e $top/files ] || refuse "$top/files is of another class: class.sh remove puts it away"
    groupadd haggle
    install -d -m 755 $top $top/home "$@"
}

case "${1-}" in
accounts)
    number=${2:-30}
    case $number in 0* | *[!0-9]*) refuse "accounts: expected a number from 1, got $number" ;; esac
    begin $top/files
    for name in $(seq -f student%02.0f "$number"); do add "$name" "$top/files/$name"; done
    folder="\"$top/files/\$USER\""
    ;;
add)
    case ${2-} in "" | -* | *[!A-Za-z0-9_-]*) refuse "add: expected a name of a-z, 0-9, got '${2-}'" ;; esac
    grep -qs "files/.USER" $settings || refuse "add: expected a class with accounts"
    add "$2" "$top/files/$2"
    tail -n 1 $top/passwords
    exit
    ;;
guest)
    begin
    add guest $top/files
    folder="\"\$(echo 'each login is a new folder' >&2; mktemp -d $top/files/XXXXXX)\""
    ;;
remove)
    rm -f $settings $top/passwords
    if group=$(getent group haggle); then
        group=$(echo "$group" | cut -d: -f3)
        pkill -KILL -G haggle || true
        for account in $(getent passwd | awk -F: -v group="$group" '$4 == group { print $1 }'); do
            userdel "$account"
        done
        groupdel haggle
    fi
    if [ -e $top/files ]; then
        chown -hR root:root $top/files # the next class may have the numbers of these accounts
        mv $top/files "$top/files-$(date +%Y%m%d-%H%M%S)"
    fi
    exit
    ;;
*) refuse "expected accounts NUMBER, add NAME, guest or remove" ;;
esac

cat >$settings <<END
MaxStartups 200
Match Group haggle
    PasswordAuthentication yes
    AuthenticationMethods password
    AuthorizedKeysFile none
    DisableForwarding yes
    AllowAgentForwarding no
    X11Forwarding no
    PermitTunnel no
    PermitUserRC no
    SetEnv LANG=C.UTF-8
    ForceCommand ulimit -t 3600; ulimit -v 4000000; exec nice /opt/haggle/bin/python -I -m negotiation_tui --restricted $folder
END
sshd -t
echo "accounts and passwords: $top/passwords"
