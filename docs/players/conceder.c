/* Concedes in equal steps, from its best price to its worst. Accepts what is as good as its target.
   Answers with the exact chance of each move, so that an examination asks less and is exact, too.

   cc -O2 -Wall -Wextra -o conceder conceder.c
   negotiation-tui --seller cmd:./conceder */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read one line of any length, without its end. Returns NULL at the end of the input. */
static char *read_line(void)
{
    static char *line;
    static size_t size;
    size_t length = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (length + 1 >= size && !(line = realloc(line, size = 2 * size + 256)))
            exit(1);
        line[length++] = (char)c;
    }
    if (c == EOF) /* a line without an end may lack its last words */
        return NULL;
    if (!line && !(line = malloc(size = 256)))
        exit(1);
    if (length > 0 && line[length - 1] == '\r')
        length--;
    line[length] = '\0';
    return line;
}

/* The value of a key: the text after " key ". Empty if the line does not have the key. */
static const char *value(const char *line, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = strchr(line, ' '); at; at = strchr(at + 1, ' '))
        if (!strncmp(at + 1, key, length) && at[length + 1] == ' ')
            return at + length + 2;
    return "";
}

/* The next of the numbers parted by commas, which `at` passes by. Returns 0 after the last. */
static int next_number(const char **at, long *number)
{
    char *end;
    *number = strtol(*at, &end, 10);
    if (end == *at)
        return 0;
    *at = *end == ',' ? end + 1 : "";
    return 1;
}

/* Answer one question; `game` is the last line with the rules. */
static void answer(const char *game, const char *question)
{
    int seller = !strncmp(value(game, "role"), "seller", 6);
    int opens = !strncmp(value(question, "opener"), seller ? "seller" : "buyer", 5);
    long rounds = strtol(value(game, "rounds"), NULL, 10);
    long round = strtol(value(question, "round"), NULL, 10);
    long low = 0, high = 0, standing = 0, price, below = 0, above = 0;
    const char *range = value(question, "range"), *prices = value(game, "prices");
    const char *stands = value(question, "standing");
    next_number(&range, &low);
    next_number(&range, &high);
    int asked = next_number(&stands, &standing); /* 0 at the opening, where it is "-" */
    int acceptable = asked && low <= standing && standing <= high;

    if (asked && round >= rounds && !opens) {
        puts(acceptable ? "odds accept 1" : "odds walk 1");
        return;
    }
    double part = rounds > 1 ? (double)(round - 1) / (double)(rounds - 1) : 0;
    double target = seller ? (double)high - part * (double)(high - low)
                           : (double)low + part * (double)(high - low);
    if (acceptable && (seller ? (double)standing >= target : (double)standing <= target)) {
        puts("odds accept 1");
        return;
    }
    int found = 0; /* the prices of its range next to the target */
    while (next_number(&prices, &price)) {
        if (price < low || price > high)
            continue;
        if (!found || (double)price <= target)
            below = price;
        above = price;
        found = 1;
        if ((double)price >= target)
            break;
    }
    if (below == above)
        printf("odds offer %ld 1\n", above);
    else { /* between two prices it draws, so that the mean is the target */
        double chance = (target - (double)below) / (double)(above - below);
        printf("odds offer %ld %.6f offer %ld %.6f\n", below, 1 - chance, above, chance);
    }
}

int main(void)
{
    char *game = calloc(1, 1), *line;
    while (game && (line = read_line())) {
        if (!strncmp(line, "haggle ", 7))
            puts("id conceder 1\nready 1");
        else if (!strncmp(line, "game ", 5)) {
            free(game);
            if ((game = malloc(strlen(line) + 1)))
                strcpy(game, line);
        } else if (!strncmp(line, "turn ", 5) || !strncmp(line, "ask ", 4))
            answer(game, line);
        else if (!strncmp(line, "refused ", 8) && strstr(line, "one more try"))
            puts("move walk");
        else if (!strcmp(line, "quit"))
            break;
        fflush(stdout); /* output to a pipe is held back otherwise */
    }
    return 0;
}
