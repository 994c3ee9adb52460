/* SPDX-License-Identifier: MIT */
#include "harness/command/help.h"
#include "harness/report/message.h"
#include "harness/scenario/words.h"

#include <dunlin/dunlin.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMN = 27, MIN_WIDTH = 60, MAX_WIDTH = 100, USUAL_WIDTH = 80 };

static help_subject described;
static const char *sections;
static help_form form;

static const option_row help_row = {.name = "help", .kind = OPTION_FLAG, .help = "show this help"};

void help_describe(const help_subject *subject) {
    described = *subject;
}

void help_add_sections(const char *text) {
    sections = text;
}

void help_set_form(help_form wanted) {
    form = wanted;
}

/* A row without help is hidden. */
static bool is_listed(const option_row *row) {
    return row->help;
}

static const char *value_of(const option_row *row) {
    return row->kind == OPTION_FLAG ? NULL : row->value;
}

/* ---- text ------------------------------------------------------------------------------------------------------------- */

static int text_width(void) {
    const int width = terminal_width(stdout);
    if (width == TERMINAL_UNLIMITED) return USUAL_WIDTH;
    return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
}

/* Words in lines that begin at a column; the first line is there already, up to `at`. */
static void put_wrapped(const char *text, int at, int column) {
    const int width = text_width();
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > width) at = printf("\n%*s", column, "") - 1;
        if (at > column) at += printf(" ");
        while (at < column) at += printf(" ");
        at += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void print_entry(const char *name, const char *value, const char *help) {
    int at = printf("  %s%s%s", name, value ? "=" : "", value ? value : "");
    if (at >= COLUMN) at = printf("\n") - 1;
    put_wrapped(help, at, COLUMN);
}

static void print_option(const option_row *row) {
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name);
    print_entry(name, value_of(row), row->help);
}

static void print_options(const option_row *rows, int count) {
    if (count == 0 || rows[0].kind != OPTION_GROUP) puts("\nOptions:");
    for (int i = 0; i < count; i++) {
        if (rows[i].kind == OPTION_GROUP)
            printf("\n%s:\n", rows[i].help);
        else if (is_listed(&rows[i]))
            print_option(&rows[i]);
    }
    print_option(&help_row);
}

static void print_examples(const char *examples) {
    puts("\nExamples:");
    for (const char *at = examples; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
        printf("  %.*s\n", (int)strcspn(at, "\n"), at);
}

static void print_help(const char *title, const char *argument, const char *heading, const help_entry *parts, int part_count,
                       const option_row *rows, int count) {
    if (described.summary) printf("%s: %s\n\n", title, described.summary);
    printf("Usage: %s%s%s [OPTION...]\n", title, argument ? " " : "", argument ? argument : "");
    if (heading) printf("\n%s:\n", heading);
    for (int i = 0; i < part_count; i++) put_wrapped(parts[i].summary, printf("  %-12s ", parts[i].name), 15);
    print_options(rows, count);
    if (described.examples) print_examples(described.examples);
}

/* ---- manual pages ----------------------------------------------------------------------------------------------------- */

/* A hyphen is a minus, which can be copied to a command line; a dot at the beginning of a line is no request. */
static void put_roff(const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '-')
            fputs("\\-", stdout);
        else if (*at == '\\')
            fputs("\\e", stdout);
        else if ((*at == '.' || *at == '\'') && (at == text || at[-1] == '\n'))
            printf("\\&%c", *at);
        else
            putchar(*at);
    }
}

static void put_roff_option(const char *name, const char *value) {
    fputs(".TP\n\\fB", stdout);
    put_roff(name);
    fputs("\\fR", stdout);
    if (value) {
        fputs("=\\fI", stdout);
        put_roff(value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
}

static void put_roff_row(const option_row *row) {
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name);
    put_roff_option(name, value_of(row));
    put_roff(row->help);
    putchar('\n');
}

/* "dunlin-run" */
static void page_name(const char *title, char name[64]) {
    snprintf(name, 64, "%s", title);
    for (char *at = name; *at != '\0'; at++) *at = *at == ' ' ? '-' : *at;
}

static void put_capitals(const char *text) {
    for (; *text != '\0'; text++) putchar(toupper((unsigned char)*text));
}

/* Reproducible where SOURCE_DATE_EPOCH is set. */
static void put_date(void) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    const time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm date;
    char text[16] = "";
    if (gmtime_r(&now, &date)) strftime(text, sizeof text, "%Y-%m-%d", &date);
    fputs(text, stdout);
}

static void put_title(const char *title) {
    char name[64];
    page_name(title, name);
    fputs(".TH ", stdout);
    put_capitals(name);
    fputs(" 1 \"", stdout);
    put_date();
    printf("\" \"dunlin %s\" \"Dunlin\"\n.SH NAME\n", dunlin_version());
    put_roff(name);
    fputs(" \\- ", stdout);
    put_roff(described.summary ? described.summary : title);
    printf("\n.SH SYNOPSIS\n.B ");
    put_roff(title);
    putchar('\n');
}

static void put_roff_options(const option_row *rows, int count) {
    puts(".SH OPTIONS");
    for (int i = 0; i < count; i++) {
        if (rows[i].kind == OPTION_GROUP) {
            fputs(".SS ", stdout);
            put_roff(rows[i].help);
            putchar('\n');
        } else if (is_listed(&rows[i])) {
            put_roff_row(&rows[i]);
        }
    }
    put_roff_row(&help_row);
}

/* The program's, and those of the parts. */
static void put_other_pages(const char *title, const help_entry *parts, int part_count) {
    const char *before = "";
    puts(".SH \"SEE ALSO\"");
    if (strcmp(title, "dunlin") != 0) printf("\\fBdunlin\\fR(1)"), before = ",\n";
    for (int i = 0; i < part_count; i++) {
        if (strcmp(parts[i].name, "help") == 0) continue;
        char name[64], page[64];
        snprintf(page, sizeof page, "%s %s", title, parts[i].name);
        page_name(page, name);
        printf("%s\\fB", before);
        put_roff(name);
        printf("\\fR(1)");
        before = ",\n";
    }
    putchar('\n');
}

static void print_manual(const char *title, const char *argument, const char *heading, const help_entry *parts, int part_count,
                         const option_row *rows, int count) {
    put_title(title);
    if (argument) printf("\\fI%s\\fR\n", argument);
    puts("[\\fIOPTION\\fR...]");
    if (heading) {
        fputs(".SH \"", stdout);
        put_capitals(heading);
        puts("\"");
    }
    for (int i = 0; i < part_count; i++) {
        put_roff_option(parts[i].name, NULL);
        put_roff(parts[i].summary);
        putchar('\n');
    }
    put_roff_options(rows, count);
    if (described.examples) {
        puts(".SH EXAMPLES\n.EX");
        put_roff(described.examples);
        puts("\n.EE");
    }
    if (sections) puts(sections);
    puts(".SH \"EXIT STATUS\"\n0: success. 1: it failed. 2: it was called in a wrong way. 128 + N: signal N ended it.");
    put_other_pages(title, parts, part_count);
}

/* ---- completions ------------------------------------------------------------------------------------------------------ */

static void print_row(const option_row *row) {
    const char *value = value_of(row);
    printf("%s\t--%s%s%s\t", row->kind == OPTION_LIST ? "list" : "option", row->name, value ? "=" : "", value ? value : "");
    if (row->words) fputs(row->words, stdout);
    for (int i = 0; i < row->name_count; i++) printf("%s ", row->names[i]);
    printf("\t%s\n", row->help);
}

static void print_rows(const char *title, const char *argument, const char *heading, const help_entry *parts, int part_count,
                       const option_row *rows, int count) {
    (void)title;
    if (argument && !heading) printf("argument\t%s\n", argument);
    for (int i = 0; i < part_count; i++) printf("part\t%s\t\t%s\n", parts[i].name, parts[i].summary);
    for (int i = 0; i < count; i++)
        if (rows[i].kind != OPTION_GROUP && is_listed(&rows[i])) print_row(&rows[i]);
    print_row(&help_row);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

void help_print(const char *title, const char *argument, const char *heading, const help_entry *parts, int part_count,
                const option_row *rows, int count) {
    static void (*const print[])(const char *, const char *, const char *, const help_entry *, int, const option_row *,
                                 int) = {print_help, print_manual, print_rows};
    print[form](title, argument, heading, parts, part_count, rows, count);
}

void help_reject(const char *kind, const char *word, const help_entry *parts, int part_count, const char *option) {
    words all = {.wanted = word};
    char allowed[WORDS_LENGTH];
    for (int i = 0; i < part_count; i++) dun_words_add(&all, parts[i].name);
    dun_words_add(&all, option);
    dun_words_say(&all, allowed);
    if (word)
        message_print("unknown %s '%s'; %s", kind, word, allowed);
    else
        message_print("a %s is missing; %s", kind, allowed);
}
