#!/bin/sh
# Give a class accounts that can do nothing but run negotiation-tui over SSH. As root:
#   sh class.sh accounts 30   accounts student01 … student30, each with a folder
#   sh class.sh guest         one account, guest, with a new folder for each session
#   sh class.sh remove        end all sessions, and remove the accounts; files stay
# It prints each account with its password.
set -eu
top=/srv/haggle settings=/etc/ssh/sshd_config.d/haggle.conf

add() { # ACCOUNT FOLDER
    useradd --gid haggle --home-dir $top/home --no-create-home --shell /bin/sh "$1"
    secret=$(od -An -N6 -tx1 /dev/urandom | tr -d ' ')
    echo "$1:$secret" | chpasswd
    install -d -o "$1" -g haggle -m 700 "$2"
    echo "$1  $secret"
}

begin() {
    groupadd haggle
    mkdir -p $top/home $top/files
}

case "${1-}" in
accounts)
    begin
    for n in $(seq -w "${2:-30}"); do add "student$n" "$top/files/student$n"; done
    folder="\"$top/files/\$USER\""
    ;;
guest)
    begin
    add guest $top/files
    folder="\"\$(mktemp -d $top/files/XXXXXX)\""
    ;;
remove)
    rm -f $settings
    pkill -KILL -G haggle || true
    group=$(getent group haggle | cut -d: -f3)
    for account in $(getent passwd | awk -F: -v group="$group" '$4 == group { print $1 }'); do
        userdel "$account"
    done
    groupdel haggle
    exit
    ;;
*)
    echo "expected accounts NUMBER, guest or remove" >&2
    exit 2
    ;;
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
