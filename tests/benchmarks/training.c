/* Concurrent Q-learning, by hand in C: the yardstick of the compiled training.

   Two learners, every price of the grid acceptable to both, openers alternate. It draws the same
   random numbers as numpy's PCG64 and rounds every product, so that a seed gives the same tables.
   Only rows that a learner has changed are copied into its frozen policy. */
#include <stdint.h>
#include <stdlib.h>

typedef int16_t Action;
typedef unsigned __int128 Wide;

typedef struct {
    double *value, *best; /* of each action; of each state */
    Action *greedy, *frozen; /* equally good actions of each state */
    Action *n_greedy, *n_frozen;
    int32_t *changed; /* states to copy into the frozen policy */
    char *is_changed;
    long n_changed;
    const double *rewards;
} Learner;

static int prepare(Learner *it, long prices, long rounds, const double *rewards) {
    const long states = prices * rounds + 2, actions = prices + 2;
    it->value = calloc(states * actions, sizeof(double));
    it->best = calloc(states, sizeof(double));
    it->greedy = calloc(states * actions, sizeof(Action));
    it->frozen = calloc(states * actions, sizeof(Action));
    it->n_greedy = calloc(states, sizeof(Action));
    it->n_frozen = calloc(states, sizeof(Action));
    it->changed = calloc(states, sizeof(int32_t));
    it->is_changed = calloc(states, 1);
    it->n_changed = 0;
    it->rewards = rewards;
    if (!it->value || !it->best || !it->greedy || !it->frozen || !it->n_greedy || !it->n_frozen ||
        !it->changed || !it->is_changed)
        return 0;
    for (long state = 0; state < states - 1; state++) {
        const long low = state > prices * (rounds - 1) ? prices : 0;
        const long n = (state ? actions : prices) - low;
        for (long k = 0; k < n; k++)
            it->greedy[state * actions + k] = it->frozen[state * actions + k] = low + k;
        it->n_greedy[state] = it->n_frozen[state] = n;
    }
    return 1;
}

static void release(Learner *it) {
    free(it->value), free(it->best), free(it->greedy), free(it->frozen);
    free(it->n_greedy), free(it->n_frozen), free(it->changed), free(it->is_changed);
}

typedef struct {
    Wide state, step;
} Stream;

static inline double uniform(Stream *stream) {
    const Wide factor = ((Wide)2549297995355413924ULL << 64) | 4865540595714422341ULL;
    const Wide state = stream->state = stream->state * factor + stream->step;
    const uint64_t mixed = (uint64_t)(state >> 64) ^ (uint64_t)state;
    const unsigned turn = (unsigned)(state >> 122);
    const uint64_t bits = mixed >> turn | mixed << (-turn & 63);
    return (double)(bits >> 11) * 0x1p-53;
}

static inline long choice(Stream *stream, const Action *row, long n) {
    return n == 1 ? row[0] : row[(long)(uniform(stream) * n)];
}

/* Train; return 1, or 0 without memory. `epsilons`: of the episodes of the cycles 0, 1 and of each
   later one. `numbers`: state and step of the stream, high half first. `counts`: six per cycle,
   deals and breakdowns by the role that ended them, prices, rounds. `tables`: both, or NULL. */
int train(long prices, long rounds, long cycles, long episodes, double rate, double discount,
          const double *epsilons, const double *rewards, const uint64_t *numbers,
          int64_t *counts, double *tables) {
    const long states = prices * rounds + 2, actions = prices + 2, end = states - 1;
    const long last_round = 1 + prices * (rounds - 1);
    const double weight = 1 - rate;
    Stream draws = {(Wide)numbers[0] << 64 | numbers[1], (Wide)numbers[2] << 64 | numbers[3]};
    Learner learners[2];
    int ready = prepare(&learners[0], prices, rounds, rewards);
    ready = prepare(&learners[1], prices, rounds, rewards + prices) && ready;

    for (long cycle = 0; ready && cycle < cycles; cycle++) {
        const int role = cycle % 2, other = 1 - role;
        Learner *me = &learners[role];
        double *restrict value = me->value, *restrict best = me->best;
        Action *restrict greedy = me->greedy, *restrict n_greedy = me->n_greedy;
        const Action *restrict replies = learners[other].frozen;
        const Action *restrict n_replies = learners[other].n_frozen;
        for (long k = 0; k < me->n_changed; k++) {
            const long state = me->changed[k], n = n_greedy[state];
            me->n_frozen[state] = n;
            me->is_changed[state] = 0;
            for (long j = state * actions; j < state * actions + n; j++)
                me->frozen[j] = greedy[j];
        }
        me->n_changed = 0;
        int64_t *count = counts + 6 * cycle;
        const double *falling = epsilons + (cycle < 2 ? cycle : 2) * episodes;

        for (long episode = 0; episode < episodes; episode++) {
            const double epsilon = falling[episode];
            const double spread = epsilon > 0 ? (1.0 - 0x1p-52) / epsilon : 0;
            const int opens = episode % 2;
            long state = 0, standing = 0, time = 0;
            long their_states = 1, my_states = 1; /* that the next offers lead to */
            if (!opens) {
                standing = choice(&draws, replies, n_replies[0]);
                state = 1 + standing;
                my_states += prices;
            }
            while (state != end) {
                const double draw = uniform(&draws);
                const long low = state >= last_round ? prices : 0;
                const long n_legal = (state ? actions : prices) - low;
                long action, next = end;
                if (draw < epsilon)
                    action = low + (long)(draw * spread * n_legal);
                else
                    action = choice(&draws, greedy + state * actions, n_greedy[state]);
                double reward = 0;
                if (action < prices) {
                    const long row = their_states + action;
                    const long answer = choice(&draws, replies + row * actions, n_replies[row]);
                    if (answer < prices) {
                        standing = answer;
                        next = my_states + answer;
                        their_states += prices;
                        my_states += prices;
                        time++;
                    } else if (answer == prices) {
                        reward = me->rewards[action];
                        count[other]++;
                        count[4] += action + 1;
                        count[5] += time + (opens ? 1 : 2);
                    } else
                        count[2 + other]++;
                } else if (action == prices) {
                    reward = me->rewards[standing];
                    count[role]++;
                    count[4] += standing + 1;
                    count[5] += time + 1;
                } else
                    count[2 + role]++;

                double *row = value + state * actions;
                Action *good = greedy + state * actions;
                const double old = row[action];
                double top = best[state];
                const double new = old * weight + rate * (reward + discount * best[next]);
                row[action] = new;
                if (new > top || (new != old && (new == top || old == top))) {
                    if (new > top) {
                        best[state] = new;
                        good[0] = action;
                        n_greedy[state] = 1;
                    } else {
                        int n = 0;
                        for (int k = low; k < low + n_legal; k++) {
                            const double each = row[k];
                            if (n == 0 || each > top) {
                                top = each;
                                n = 0;
                            }
                            if (each == top)
                                good[n++] = k;
                        }
                        best[state] = top;
                        n_greedy[state] = n;
                    }
                    if (!me->is_changed[state]) {
                        me->is_changed[state] = 1;
                        me->changed[me->n_changed++] = state;
                    }
                }
                state = next;
            }
        }
    }
    if (ready && tables)
        for (long k = 0; k < 2 * states * actions; k++)
            tables[k] = learners[k / (states * actions)].value[k % (states * actions)];
    release(&learners[0]);
    release(&learners[1]);
    return ready;
}
