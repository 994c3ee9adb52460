#!/bin/sh
# SPDX-License-Identifier: MIT
# make_completions.sh PROGRAM FOLDER: leaves what bash, zsh and fish read to complete commands of dunlin, made of the rows that
# `dunlin rows` prints.
set -eu
program=$1 folder=$2
mkdir -p "$folder"

# "COMMAND	KIND	NAME	WORDS	HELP": rows of the program itself, of its commands, and of their parts, as "bench frame".
print_rows() { # COMMAND
    # shellcheck disable=SC2086
    "$program" rows $1 | sed "s/^/$1	/"
}
print_parts() { print_rows "$1" | awk -F'\t' '$2 == "part" && $3 != "help" { print ($1 == "" ? "" : $1 " ") $3 }'; }
table=$(
    print_rows ''
    print_parts '' | while read -r command; do
        print_rows "$command"
        print_parts "$command" | while read -r part; do print_rows "$part"; done
    done
)

# write FILE FIRST_LINE PROGRAM: the program of awk has begin() and end(), which surround the rows of each command.
write() {
    printf '%s\n' "$table" | awk -F'\t' -v first="$2" '
        function quoted(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }
        function value_of(name) { return index(name, "=") ? substr(name, index(name, "=") + 1) : "" }
        function is_file(value) { return value ~ /^(FILE|STATE|STUDY|TRAJECTORY|METRICS)/ }
        BEGIN { print first "\n# SPDX-License-Identifier: MIT\n# Made by the build, of the rows of the options of dunlin." }
        { sub(/ +$/, "", $4) }
        NR == 1 || $1 != command { if (NR > 1) end(); command = $1; begin() }
        '"$3" >"$folder/$1"
}

# ---- bash: each row is a word, such as --index=NAME|auto,grid ----------------------------------------------------------------------

write dunlin.bash '# bash completion for dunlin' '
    BEGIN { print "_dunlin_rows() {\n    case $1 in" }
    function begin() { printf "    %s) echo \047", quoted(command) }
    function end() { print "\047 ;;" }
    { gsub(" ", ",", $4); printf "%s%s ", $3, $4 == "" ? "" : "|" $4 }
    END { end(); print "    esac\n}" }'
cat >>"$folder/dunlin.bash" <<'END'

# What may stand for a value of help.
_dunlin_value() { # VALUE WORD
    local words=
    case $1 in
    *'|'*) words=${1#*|} ;;
    KERNEL) words=$(dunlin kernels 2>/dev/null | awk 'NR > 1 { print $1 }') ;;
    SCENARIO) words=$(dunlin scenarios 2>/dev/null | awk '{ print $1 }') && compgen -f -X '!*.yaml' -- "$2" ;;
    FILE* | STATE* | STUDY | TRAJECTORY | METRICS*) compgen -f -- "$2" ;;
    FOLDER) compgen -d -- "$2" ;;
    esac
    compgen -W "${words//,/ }" -- "$2"
}

_dunlin() {
    local IFS=$' \t\n' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' row value=''
    # --option=value is three words.
    if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
    if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != help ]]; then command=${COMP_WORDS[1]}; fi
    if ((COMP_CWORD > 2)) && [[ -n $(_dunlin_rows "$command ${COMP_WORDS[2]}") ]]; then command+=" ${COMP_WORDS[2]}"; fi
    local -a rows
    read -ra rows <<<"$(_dunlin_rows "$command")"
    COMPREPLY=()
    for row in "${rows[@]}"; do
        if [[ $row == "$before="* ]]; then value=${row#*=}; fi
    done
    if [[ $before == --kernel ]]; then value=KERNEL; fi
    if [[ -n $value ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(_dunlin_value "$value" "$word")
        return
    fi
    for row in "${rows[@]}"; do
        case $row in
        --*=*) row=${row%%=*}= ;;
        [[:upper:]]*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(_dunlin_value "$row" "$word") && continue ;;
        esac
        if [[ $row == "$word"* ]]; then COMPREPLY+=("$row"); fi
    done
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _dunlin dunlin dunlin-mpi
END

# ---- zsh ---------------------------------------------------------------------------------------------------------------------

write _dunlin '#compdef dunlin dunlin-mpi' '
    BEGIN { print "_dunlin_of() {\n    case $1 in" }
    function begin() { parts = specs = "" }
    function end() {
        if (index(command, " ")) both = both (both == "" ? "" : " | ") quoted(command)
        if (parts != "") specs = specs " " quoted("1:part:{_describe part parts}")
        print "    " quoted(command) ")\n        local -a parts=(" parts ")\n        _arguments" specs "\n        ;;"
    }
    function action(value) {
        if ($4 != "") return "(" $4 ")"
        if ($3 ~ /^--kernel=/) return "_dunlin_kernels"
        if (value == "SCENARIO") return "_dunlin_scenarios"
        return value == "FOLDER" ? "_files -/" : is_file(value) ? "_files" : " "
    }
    function plain(text) { gsub(/:/, "\\:", text); return text }
    $2 == "part" { parts = parts " " quoted($3 ":" $5) }
    $2 == "argument" { specs = specs " " quoted(($3 ~ /[.][.][.]$/ ? "*" : "") ":" $3 ":" action($3)) }
    $2 == "option" || $2 == "list" {
        value = value_of($3)
        gsub(/[][]/, "\\\\&", $5)
        specs = specs " \\\n            " quoted(($2 == "list" ? "*" : "") substr($3, 1, length($3) - length(value)) "[" $5 "]" \
            (value == "" ? "" : ":" plain(value) ":" action(value)))
    }
    END { end(); print "    esac\n}\n\n_dunlin_is_part() {\n    case $1 in\n    " both ") ;;\n    *) return 1 ;;\n    esac\n}" }'
cat >>"$folder/_dunlin" <<'END'

_dunlin_kernels() {
    local -a names=(${${${(f)"$(dunlin kernels 2>/dev/null)"}[2,-1]}%% *})
    _describe kernel names
}

_dunlin_scenarios() {
    local -a names=(${${(f)"$(dunlin scenarios 2>/dev/null)"}%% *})
    _describe scenario names
    _files -g '*.yaml'
}

_dunlin() {
    local command=''
    if ((CURRENT > 2)) && [[ $words[2] != help ]]; then command=$words[2]; fi
    if ((CURRENT > 2)); then shift words; ((CURRENT--)); fi
    if ((CURRENT > 2)) && _dunlin_is_part "$command $words[2]"; then command+=" $words[2]"; shift words; ((CURRENT--)); fi
    _dunlin_of "$command"
}

_dunlin "$@"
END

# ---- fish --------------------------------------------------------------------------------------------------------------------

write dunlin.fish '# fish completion for dunlin' '
    function text(string) { gsub(/\\/, "\\\\\\\\", string); gsub(/\047/, "\\\047", string); return "\047" string "\047" }
    function begin() { if (index(command, " ")) parts = parts " " text(command); at = "complete -c dunlin -n " text("__dunlin_at " text(command)) }
    function end() { }
    function offered(value) {
        if ($4 != "") return " -x -a " text($4)
        if ($3 ~ /^--kernel=/) return " -x -a " text("(dunlin kernels 2>/dev/null | string match -rg \"^([a-z0-9-]+) +[0-9]\")")
        if (value == "FOLDER") return " -x -a \"(__fish_complete_directories)\""
        return is_file(value) ? " -r -F" : value == "" ? "" : " -x"
    }
    $2 == "part" { lines = lines at " -a " $3 " -d " text($5) "\n" }
    $2 == "argument" { lines = lines at " -F\n" }
    $3 == "SCENARIO" { lines = lines at " -a " text("(dunlin scenarios 2>/dev/null | string replace -r \" +\" \\t)") "\n" }
    $2 == "option" || $2 == "list" {
        name = $3
        sub(/=.*/, "", name)
        lines = lines at " -l " substr(name, 3) offered(value_of($3)) " -d " text($5) "\n"
    }
    END { printf "set -g __dunlin_parts%s\n%s", parts, lines }'
cat >>"$folder/dunlin.fish" <<'END'

complete -c dunlin -f
function __dunlin_at
    set -l words (commandline -opc)
    set -l command "$words[2]"
    test "$command" = help; and set command ''
    contains -- "$words[2] $words[3]" $__dunlin_parts; and set command "$words[2] $words[3]"
    test "$command" = "$argv[1]"
end
END
echo '# SPDX-License-Identifier: MIT
complete -c dunlin-mpi -w dunlin' >"$folder/dunlin-mpi.fish"
