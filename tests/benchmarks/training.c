/* Concurrent Q-learning, with SARSA=1 SARSA, by hand in C: the yardstick of the compiled training.

   Two learners, every price of the grid acceptable to both, openers alternate. With GIVEN it takes
   given random numbers and so comes to the same tables, because it rounds every product. Without,
   it draws by xoshiro256+, which is quicker than numpy's generator.
   Into its frozen policy a learner copies the rows that it has changed, with WHOLE=1 all. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int16_t Action;

typedef struct {
    double *value, *best; /* of each action; of each state */
    Action *greedy; /* equally good actions of each state */
    int32_t *n_greedy;
    Action *frozen;
    int32_t *n_frozen;
    const double *rewards;
    int32_t *changed; /* states to copy into the frozen policy */
    uint8_t *is_changed;
    long n_changed;
} Learner;

static int prepare(Learner *it, int prices, int rounds, const double *rewards) {
    const long states = (long)prices * rounds + 2, actions = prices + 2;
    it->value = calloc(states * actions, sizeof(double));
    it->best = calloc(states, sizeof(double));
    it->greedy = calloc(states * actions, sizeof(Action));
    it->n_greedy = calloc(states, sizeof(int32_t));
    it->frozen = calloc(states * actions, sizeof(Action));
    it->n_frozen = calloc(states, sizeof(int32_t));
    it->changed = calloc(states, sizeof(int32_t));
    it->is_changed = calloc(states, 1);
    it->n_changed = 0;
    it->rewards = rewards;
    if (!it->value || !it->best || !it->greedy || !it->frozen || !it->n_greedy || !it->n_frozen ||
        !it->changed || !it->is_changed)
        return 0;
    for (long state = 0; state < states - 1; state++) {
        const int low = state > (long)prices * (rounds - 1) ? prices : 0;
        const int high = state ? prices + 2 : prices;
        for (int k = low; k < high; k++)
            it->greedy[state * actions + k - low] = it->frozen[state * actions + k - low] = k;
        it->n_greedy[state] = it->n_frozen[state] = high - low;
    }
    return 1;
}

static void release(Learner *it) {
    free(it->value), free(it->best), free(it->greedy), free(it->frozen);
    free(it->n_greedy), free(it->n_frozen), free(it->changed), free(it->is_changed);
}

#ifdef GIVEN
typedef const double *Numbers;
#define BEGIN(numbers) Numbers next = numbers
#define DRAW() (*next++)
#else
typedef const uint64_t *Numbers;
#define BEGIN(numbers) \
    uint64_t s0 = (numbers)[0], s1 = (numbers)[1], s2 = (numbers)[2], s3 = (numbers)[3]
#define DRAW() \
    ({ \
        const uint64_t bits = s0 + s3, mixed = s1 << 17; \
        s2 ^= s0, s3 ^= s1, s1 ^= s2, s0 ^= s3, s2 ^= mixed; \
        s3 = s3 << 45 | s3 >> 19; \
        (double)(bits >> 11) * 0x1p-53; \
    })
#endif

/* Learn the value of an action, and which are best; return 1 if these may have changed. */
static inline __attribute__((always_inline)) int learn(
    double *restrict row, double *restrict best, Action *restrict good, int32_t *restrict n_good,
    int action, double rate, double target, int low, int high) {
    const double old = row[action], top = *best;
    const double new = SARSA ? old + rate * (target - old) : old * (1 - rate) + rate * target;
    row[action] = new;
    if (new > top) {
        *best = new;
        good[0] = action;
        *n_good = 1;
        return 1;
    }
    if (new == old || (new != top && old != top))
        return 0;
    double most = top;
    int n = 0;
    for (int k = low; k < high; k++) {
        const double each = row[k];
        if (n == 0 || each > most)
            most = each, n = 0;
        if (each == most)
            good[n++] = k;
    }
    *best = most;
    *n_good = n;
    return 1;
}

#define LEARN(at, action, target) { \
    if (learn(value + at * actions, best + at, greedy + at * actions, n_greedy + at, action, \
              rate, target, at >= last_round ? prices : 0, at ? prices + 2 : prices) && \
        !WHOLE && !is_changed[at]) \
        is_changed[at] = 1, changed[n_changed++] = at; \
}

/* Train; return 1, or 0 without memory. `epsilons`: of the episodes of the cycles 0, 1 and of each
   later one. `numbers`: the given ones, or four words to begin with. `counts`: six per cycle, deals
   and breakdowns by the role that ended them, prices, rounds. `tables`: both, or NULL. */
int train(int prices, int rounds, long cycles, long episodes, double rate, double discount,
          const double *epsilons, const double *rewards, Numbers numbers,
          int64_t *counts, double *tables) {
    const long states = (long)prices * rounds + 2, actions = prices + 2, end = states - 1;
    const long last_round = 1 + (long)prices * (rounds - 1);
    BEGIN(numbers);
    Learner learners[2];
    int ready = prepare(&learners[0], prices, rounds, rewards);
    ready = prepare(&learners[1], prices, rounds, rewards + prices) && ready;

    for (long cycle = 0; ready && cycle < cycles; cycle++) {
        const int role = cycle & 1, other = 1 - role;
        Learner *me = &learners[role];
        double *restrict value = me->value, *restrict best = me->best;
        Action *restrict greedy = me->greedy;
        int32_t *restrict n_greedy = me->n_greedy;
        const Action *restrict replies = learners[other].frozen;
        const int32_t *restrict n_replies = learners[other].n_frozen;
        const double *restrict gains = me->rewards;
        if (WHOLE) {
            memcpy(me->frozen, greedy, states * actions * sizeof(Action));
            memcpy(me->n_frozen, n_greedy, states * sizeof(int32_t));
        }
        for (long k = 0; k < me->n_changed; k++) {
            const long state = me->changed[k];
            const int n = me->n_frozen[state] = n_greedy[state];
            me->is_changed[state] = 0;
            for (int j = 0; j < n; j++)
                me->frozen[state * actions + j] = greedy[state * actions + j];
        }
        int32_t *restrict changed = me->changed;
        uint8_t *restrict is_changed = me->is_changed;
        long n_changed = 0;
        int64_t deals[2] = {0, 0}, breakdowns[2] = {0, 0}, paid = 0, lasted = 0;
        const double *falling = epsilons + (cycle < 2 ? cycle : 2) * episodes;

        for (long episode = 0; episode < episodes; episode++) {
            const double epsilon = falling[episode];
            const double spread = epsilon > 0 ? (1.0 - 0x1p-52) / epsilon : 0;
            const int opens = episode & 1;
            long state = 0, their_states = 1, my_states = 1; /* that the next offers lead to */
            int standing = 0, time = 0, done = 0;
            long before = end; /* the state of the last decision, in which `done` was done */
            if (!opens) {
                const int n = n_replies[0];
                standing = n == 1 ? replies[0] : replies[(int)(DRAW() * n)];
                state = 1 + standing;
                my_states += prices;
            }
            do {
                const double draw = DRAW();
                int action;
                if (draw < epsilon) {
                    const int low = state >= last_round ? prices : 0;
                    const int n = state >= last_round ? 2 : state == 0 ? prices : (int)actions;
                    action = low + (int)(draw * spread * n);
                } else {
                    const int n = n_greedy[state];
                    const Action *good = greedy + state * actions;
                    action = n == 1 ? good[0] : good[(int)(DRAW() * n)];
                }
                long next_state = end;
                double reward = 0;
                if (action < prices) {
                    const long reply = their_states + action;
                    const int n = n_replies[reply];
                    const Action *good = replies + reply * actions;
                    const int answer = n == 1 ? good[0] : good[(int)(DRAW() * n)];
                    if (answer < prices) {
                        standing = answer;
                        next_state = my_states + answer;
                        their_states += prices;
                        my_states += prices;
                        time++;
                    } else if (answer == prices) {
                        reward = gains[action];
                        deals[other]++;
                        paid += action + 1;
                        lasted += time + (opens ? 1 : 2);
                    } else
                        breakdowns[other]++;
                } else if (action == prices) {
                    reward = gains[standing];
                    deals[role]++;
                    paid += standing + 1;
                    lasted += time + 1;
                } else
                    breakdowns[role]++;

                if (!SARSA)
                    LEARN(state, action, reward + discount * best[next_state])
                else if (before != end)
                    LEARN(before, done, discount * value[state * actions + action])
                if (SARSA && next_state == end)
                    LEARN(state, action, reward)
                before = state, done = action;
                state = next_state;
            } while (state != end);
        }
        me->n_changed = n_changed;
        int64_t *count = counts + 6 * cycle;
        count[0] = deals[0], count[1] = deals[1];
        count[2] = breakdowns[0], count[3] = breakdowns[1];
        count[4] = paid, count[5] = lasted;
    }
    if (ready && tables)
        for (int k = 0; k < 2; k++)
            memcpy(tables + k * states * actions, learners[k].value,
                   states * actions * sizeof(double));
    release(&learners[0]);
    release(&learners[1]);
    return ready;
}
