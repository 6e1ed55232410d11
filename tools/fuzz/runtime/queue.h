/* The queue: inputs that brought something new, what is covered, which input is next.
 *
 * Knows: counts of edges in classes, as AFL has them; how rare an edge is. All of it is shared, so that nothing is lost
 * with a worker. Never: how inputs are made. */

struct entry {
  u64 at; /* in the arena */
  u32 length, nanoseconds, picked, finds;
  u32 parent, brought; /* edges that were new */
  u32 n_news;          /* what was new, behind the input in the arena: 8 * edge + class */
  u8 stage, is_best, is_solved, depth;
  u8 timings;        /* runs that were there to see how long one takes */
  u8 solvers;        /* workers that have begun to solve it: a compare that holds may end one */
  u32 next_compare;  /* where the next of them goes on */
  u64 saved, spent;  /* nanoseconds: what solving may take, what it took the last time */
  u8 is_worth;     /* kept for a compare that held for the first time, not for an edge */
  u8 is_fragile;   /* a compare of its run holds between two things that both come from the input: a checksum, a length */
  u32 rarest;      /* runs that hit the rarest of the edges that this is the best input for */
  float weight;
};

enum { NO_PARENT = 0xffffffff };

/* Nanoseconds that an input's compares are worth before chance was tried on it. */
enum { FIRST_SAVED = 3000000 };

static const u64 ARENA = (u64)1 << 31;

static struct {
  struct entry at[MOST_ENTRIES];
  volatile u64 used; /* bytes of the arena */
  u64 total_time, last_find;
} *fz_queue;
static u8 *fz_arena;

static u8 *fz_seen;         /* classes seen, by edge */
static u8 *fz_seen_crash, *fz_seen_late; /* edges of crashes and hangs */
static u64 *fz_crash_places;             /* 256 of them */
static u32 *fz_hits;        /* runs, by edge */
static u32 *fz_best;        /* entry + 1, by edge */

struct token {
  u8 length, bytes[OPERAND];
};
static struct {
  volatile u32 count, next;
  struct token at[MOST_TOKENS];
} *fz_tokens;

/* Probes of an input that have ended a worker, so that the next one leaves them out. */
enum { MOST_FATAL = 4096 };
static struct {
  volatile u64 now; /* the one that is being run, 0: none */
  u64 fatal[MOST_FATAL];
} *fz_probes;

/* What is about to be kept, should the worker die while it is made shorter. */
static struct {
  volatile u32 length;
  u32 parent, brought; /* edges that were new */
  u8 stage, data[MOST_INPUT];
} *fz_keeping;

static u8 fz_class[256];

/* What the last run that was kept has brought, and that no entry has yet. */
static u32 *fz_new, fz_n_new;

static void fz_open_queue(void) {
  u32 edges = (fz_edges + 63) & ~63u;
  fz_queue = fz_shared(sizeof *fz_queue);
  fz_arena = fz_shared(ARENA);
  fz_seen = fz_shared(edges);
  fz_seen_crash = fz_shared(edges);
  fz_seen_late = fz_shared(edges);
  fz_crash_places = fz_shared(256 * sizeof *fz_crash_places);
  fz_hits = fz_shared(edges * sizeof *fz_hits);
  fz_best = fz_shared(edges * sizeof *fz_best);
  fz_tokens = fz_shared(sizeof *fz_tokens);
  fz_log = fz_shared(sizeof *fz_log);
  fz_keeping = fz_shared(sizeof *fz_keeping);
  fz_probes = fz_shared(sizeof *fz_probes);
  fz_new = fz_shared(edges * sizeof *fz_new);
  /* With one region of counters there is nothing to gather. */
  int direct = fz_n_regions == 1 && !fz_asked.isolate;
  fz_counts = direct ? fz_regions[0].start : fz_shared(edges);
  for (int i = 1; i < 256; i++)
    fz_class[i] = i == 1 ? 1 : i == 2 ? 2 : i == 3 ? 4 : i < 8 ? 8 : i < 16 ? 16 : i < 32 ? 32 : i < 128 ? 64 : 128;
}

static u8 *fz_data(u32 entry) { return fz_arena + fz_queue->at[entry].at; }

/* The end of this run, in a crash or too late, is one that was not seen before. */
static int fz_is_new_end(int late, u64 place) {
  u8 *seen = late ? fz_seen_late : fz_seen_crash;
  int res = 0;
  for (u32 i = 0; i < fz_edges; i++)
    if (fz_counts[i] && !seen[i]) seen[i] = 1, res = 1;
  if (!late) {
    u32 slot = (u32)((place * 0x9e3779b97f4a7c15u) >> 56);
    if (fz_crash_places[slot] != place + 1) fz_crash_places[slot] = place + 1, res = 1;
  }
  return res;
}

enum { NOTHING, NEW_CLASS, NEW_EDGE };

/* Whether 64 counters are zero, in a few instructions. */
static inline int fz_is_zero(const u8 *counts) {
  u64 words[8], all = 0;
  memcpy(words, counts, sizeof words);
  for (int i = 0; i < 8; i++) all |= words[i];
  return all == 0;
}

/* What the last run has brought; with `keep` it is known from now on. */
static int fz_news(int keep) {
  int res = NOTHING;
  u32 edges = 0, classes = 0;
  if (keep) fz_n_new = 0;
  for (u32 at = 0; at < fz_edges; at += 8) {
    /* Most of a program is not reached by one run. */
    while (at + 64 <= fz_edges && fz_is_zero(fz_counts + at)) at += 64;
    if (at >= fz_edges) break;
    u32 end = fz_least(at + 8, fz_edges);
    if (end - at == 8) {
      u64 word;
      memcpy(&word, fz_counts + at, 8);
      if (__builtin_expect(word == 0, 1)) continue;
    }
    for (u32 i = at; i < end; i++) {
      u8 count = fz_counts[i];
      if (!count) continue;
      fz_hits[i]++;
      u8 class = fz_class[count];
      if (__builtin_expect(!(fz_seen[i] & class), 0)) {
        if (!fz_seen[i]) res = NEW_EDGE, edges++;
        else if (res == NOTHING) res = NEW_CLASS;
        classes++;
        if (keep) fz_seen[i] |= class, fz_new[fz_n_new++] = 8 * i + fz_log2(class);
      }
    }
  }
  if (keep) fz_board->edges_seen += edges, fz_board->classes_seen += classes;
  return res;
}

/* The edges of the last run for which this input is the cheapest. */
static void fz_rank(u32 entry) {
  struct entry *it = &fz_queue->at[entry];
  u64 cost = (u64)(it->nanoseconds + 1) * (it->length + 8);
  for (u32 i = 0; i < fz_edges; i++) {
    if (!fz_counts[i]) continue;
    if (fz_best[i]) {
      struct entry *other = &fz_queue->at[fz_best[i] - 1];
      if ((u64)(other->nanoseconds + 1) * (other->length + 8) <= cost) continue;
    }
    fz_best[i] = entry + 1;
  }
}

/* Makes an input an entry. The keeper tells the supervisor of it. */
static void fz_add(const u8 *data, u32 length, enum stage stage, u32 parent, u32 nanoseconds) {
  u64 number = fz_board->entries;
  if (number >= MOST_ENTRIES || fz_queue->used + length + 4 * (u64)fz_n_new > ARENA) return;
  struct entry *it = &fz_queue->at[number];
  u32 brought = it->brought;
  *it = (struct entry){.brought = brought, .at = fz_queue->used, .length = length, .nanoseconds = nanoseconds,
                       .parent = parent, .stage = stage, .saved = FIRST_SAVED};
  if (parent != NO_PARENT) {
    it->depth = (u8)fz_least(fz_queue->at[parent].depth + 1u, 255);
    fz_queue->at[parent].finds++;
  }
  memcpy(fz_arena + fz_queue->used, data, length);
  memcpy(fz_arena + fz_queue->used + length, fz_new, 4 * (u64)fz_n_new);
  it->n_news = fz_n_new;
  fz_queue->used += length + 4 * (u64)fz_n_new;
  fz_n_new = 0;
  fz_queue->total_time += nanoseconds;
  fz_queue->last_find = fz_board->runs;
  fz_rank((u32)number);
  fz_board->finds[stage]++;
  __sync_synchronize();
  fz_board->entries = number + 1;
}

static u8 fz_shorter[MOST_INPUT];

/* A shorter input that brings as much: blocks are left out while the run stays new. A few runs only. */
static u32 fz_shorten(u8 *data, u32 length) {
  int runs = 48;
  for (u32 block = length / 2; block > 0 && runs > 0; block /= 2) {
    for (u32 end = length; end >= block && runs > 0; end -= fz_least(block, end)) {
      u32 start = end - block;
      if (length <= block) break;
      memcpy(fz_shorter, data, start);
      memcpy(fz_shorter + start, data + end, length - end);
      runs--;
      if (fz_run(fz_shorter, length - block) != WENT || fz_news(0) != NEW_EDGE) continue;
      length -= block;
      memcpy(data, fz_shorter, length);
      if (end > length) end = length + block;
    }
  }
  return length;
}

static void fz_ended_badly(enum ended how, const u8 *data, u32 length);

static void fz_keep(const u8 *data, u32 length, enum stage stage, u32 parent) {
  u64 before = fz_now();
  enum ended how = fz_run(data, length);
  u64 time = fz_now() - before;
  u64 known = fz_board->edges_seen;
  fz_keeping->length = 0;
  if (how != WENT) return;
  if (fz_news(1) == NOTHING) {
    /* It went another way this time. */
    fz_board->unstable++;
    return;
  }
  u64 number = fz_board->entries;
  if (number < MOST_ENTRIES) fz_queue->at[number].brought = (u32)(fz_board->edges_seen - known);
  fz_add(data, length, stage, parent, (u32)(time < 0xffffffff ? time : 0xffffffff));
}

/* Runs an input and keeps it if it brings something new. */
static int fz_try(const u8 *data, u32 length, enum stage stage, u32 parent) {
  fz_is_given = stage == GIVEN;
  enum ended how = fz_run(data, length);
  fz_is_given = 0;
  if (__builtin_expect(how != WENT, 0)) {
    fz_ended_badly(how, data, length);
    return NOTHING;
  }
  int news = fz_news(0);
  if (__builtin_expect(news == NOTHING, 1)) return NOTHING;
  /* Shortened only where it is worth it, and never what others have given us. */
  u8 *kept = fz_keeping->data;
  memcpy(kept, data, length);
  fz_keeping->parent = parent;
  fz_keeping->stage = (u8)stage;
  fz_keeping->length = length;
  u64 logging = fz_logging;
  fz_logging = 0;
  if (news == NEW_EDGE && length > 4 && stage != GIVEN && stage != SYNCED) length = fz_shorten(kept, length);
  fz_keep(kept, length, stage, parent);
  fz_logging = logging;
  return news;
}

/* A worker begins where another one has died. */
static void fz_keep_what_was_left(void) {
  u32 length = fz_keeping->length;
  if (!length) return;
  fz_keeping->length = 0;
  fz_keep(fz_keeping->data, length, fz_keeping->stage, fz_keeping->parent);
}

/* The program has ended the worker: its last run counts. */
static void fz_keep_at_exit(void) {
  if (fz_news(1) != NOTHING) fz_add(fz_board->input, (u32)fz_board->length, HAVOC, NO_PARENT, 0);
}

/* The next input, rare edges first. */
static u32 fz_next(void) {
  static float sums[MOST_ENTRIES];
  static u32 known, left;
  u32 count = (u32)fz_board->entries;
  if (known != count || left == 0) {
    for (u32 i = 0; i < count; i++) fz_queue->at[i].is_best = 0, fz_queue->at[i].rarest = 0xffffffff;
    for (u32 i = 0; i < fz_edges; i++) {
      if (!fz_best[i]) continue;
      struct entry *it = &fz_queue->at[fz_best[i] - 1];
      it->is_best = 1;
      if (fz_hits[i] < it->rarest) it->rarest = fz_hits[i];
    }
    double sum = 0, average = (double)fz_queue->total_time / count + 1;
    for (u32 i = 0; i < count; i++) {
      struct entry *it = &fz_queue->at[i];
      double rare = it->is_best ? fz_log2(fz_board->runs / ((u64)it->rarest + 1) + 1) + 1 : it->is_worth ? 4 : 0.3;
      double fast = average / (it->nanoseconds + average / 4);
      double fresh = it->picked == 0 ? 8 : it->picked < 8 ? 2 : 1;
      /* What was picked often and brought nothing is done with. */
      double spent = 1.0 / (1 + fz_log2(it->picked / (it->finds + 1u) + 1));
      sum += rare * rare * fast * fresh * spent;
      sums[i] = (float)sum;
    }
    known = count;
    left = 64;
  }
  left--;
  float wanted = (float)((double)(fz_random() >> 11) * 0x1p-53 * sums[count - 1]);
  u32 low = 0, high = count - 1;
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (sums[middle] > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

static void fz_add_token(const u8 *bytes, u32 length) {
  if (length < 2 || length > OPERAND) return;
  int plain = 1;
  for (u32 i = 0; i < length; i++) plain &= bytes[i] == 0 || bytes[i] == 0xff;
  if (plain) return;
  u32 count = fz_tokens->count;
  for (u32 i = 0; i < count; i++)
    if (fz_tokens->at[i].length == length && !__real_memcmp(fz_tokens->at[i].bytes, bytes, length)) return;
  u32 slot = count < MOST_TOKENS ? count : fz_tokens->next++ % MOST_TOKENS;
  fz_tokens->at[slot].length = (u8)length;
  memcpy(fz_tokens->at[slot].bytes, bytes, length);
  if (count < MOST_TOKENS) fz_tokens->count = count + 1;
}
