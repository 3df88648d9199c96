#!/bin/sh
# Prints the path of the Python that make installs with: of the tested versions on the PATH, one that was built with
# optimisations before a plain build, which takes a third longer for an introspection (docs/adr/speed.md), and the version
# that every change is tested with before the others. `make PYTHON=…` takes another.
IFS=:
for folder in $PATH; do
    for name in python3.11 python3.12 python3.13 python3; do
        test -x "$folder/$name" && "$folder/$name" -I src/credence/interpreter.py 2>/dev/null
    done
done | sort -s -k 1,1nr -k 2,2n | {
    unset IFS
    read -r optimised minor path || {
        echo "Install Python 3.11, 3.12 or 3.13 with its module venv (on Debian and Ubuntu: apt install python3-venv)." >&2
        exit 1
    }
    test "$optimised" = 1 && build="an optimised" || build="a plain"
    echo "Python 3.$minor, $build build: $path" >&2
    echo "$path"
}
