#!/usr/bin/env zsh
# SPDX-License-Identifier: MIT
# complete.zsh FOLDER: for each command line that it reads, prints what zsh completes, which finds its functions in the folder too, and
# then an empty line. Completion works in zsh's editor only, so a second zsh has one, in a terminal of its own.
zmodload zsh/zpty
scratch=$(mktemp -d)
trap 'rm -rf $scratch' EXIT
mkfifo $scratch/done
cat >$scratch/setup <<END
PROMPT= fpath=($1 \$fpath)
autoload -Uz compinit
compinit -u -D
compadd() { # it notes what matches
    if [[ \${@[1,(i)(-|--)]} != *-[OAD]* ]]; then
        local -a found
        builtin compadd -A found "\$@"
        print -rl -- \$found >>$scratch/offered
    fi
    builtin compadd "\$@"
}
show() { zle list-choices; BUFFER=; print done >$scratch/done }
zle -N show
bindkey '^X' show
print done >$scratch/done
END
zpty editor zsh -f -i
zpty -w editor "source $scratch/setup"
read -r <$scratch/done
while IFS= read -r line; do
    : >$scratch/offered
    zpty -w -n editor $line$'\x18'
    read -r <$scratch/done
    grep . $scratch/offered
    print
done
