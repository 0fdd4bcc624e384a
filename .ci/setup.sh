# Sourced by ./play and ./check: makes .venv ready to run the engine, and says plainly what it cannot do.

say() { printf 'notetrack: %s\n' "$*" >&2; }

# Debian packages, where this is Debian and we may install them.
packages() {
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        say "installing Debian packages: $*"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    else
        say "please install these system packages: $*"
        return 1
    fi
}

has_library() {
    { ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null; } | grep -q "$1"
}

# setup [EXTRA]: EXTRA is a group of optional dependencies, such as dev.
setup() {
    python=${PYTHON:-python3}
    if ! "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then
        say "Python 3.11 to 3.14 is needed; set PYTHON=/path/to/python if it is not '$python'"
        exit 2
    fi
    if [ "$(uname -s)" = Linux ] && ! { has_library libGL.so.1 && has_library libEGL.so.1; }; then
        # Without them the game draws plain surfaces, so going on is right.
        packages libgl1 libegl1 libgl1-mesa-dri || say "going on without OpenGL: plain surfaces are drawn"
    fi
    if ! why=$(.venv/bin/python -m pip --version 2>&1); then
        if [ -e .venv ]; then
            # Thrown away is only what was made here and is ours: another one may hold what somebody installed.
            if [ ! -w .venv ] || [ -z "$(find .venv -maxdepth 1 \( -name .made-here -o -name '.ready*' \) 2>/dev/null)" ]; then
                say "there is a .venv here that cannot be used: $(printf '%s\n' "$why" | tail -n 1)"
                say "move it away (mv .venv .venv-before) and start this again"
                exit 2
            fi
            say "making .venv again, which is broken"
            rm -rf .venv
        fi
        if [ ! -w . ]; then
            say "$(pwd) cannot be written to by you, and .venv has to be made in it"
            exit 2
        fi
        mkdir .venv
        touch .venv/.made-here
        if ! "$python" -m venv .venv >/dev/null 2>&1; then
            packages "python3-venv" || exit 2
            "$python" -m venv .venv
        fi
    fi
    extra=${1:-}
    stamp=.venv/.ready${extra:+-$extra}
    if [ ! -f "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
        say "installing what the engine needs into .venv (once): numpy, pygame and others are fetched from PyPI,"
        say "which takes a minute or two"
        PIP_ROOT_USER_ACTION=ignore .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".${extra:+[$extra]}"
        touch "$stamp"
    fi
}
