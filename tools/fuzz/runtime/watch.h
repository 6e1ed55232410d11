/* What the instrumented program calls: its edges are counted, its compares are seen.
 *
 * Knows: clang's SanitizerCoverage (clang.llvm.org/docs/SanitizerCoverage.html), the C library's compares by the
 * linker's --wrap, and compares of other widths and of floating point, for which the driver puts in calls of its own.
 * Never: what is done with it. */

/* Edges of all modules, one after the other. */
enum { MOST_REGIONS = 32 };
static struct {
  u8 *start;
  u32 size;
} fz_regions[MOST_REGIONS];
static u32 fz_n_regions, fz_edges;

void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *stop) {
  if (start == stop || fz_n_regions == MOST_REGIONS) return;
  for (u32 i = 0; i < fz_n_regions; i++)
    if (fz_regions[i].start == start) return;
  fz_regions[fz_n_regions].start = start;
  fz_regions[fz_n_regions++].size = (u32)(stop - start);
  fz_edges += (u32)(stop - start);
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }

/* Assumptions, for which the driver puts in a call of ours: one that holds is an edge. */
#ifndef FZ_ASSUMPTIONS
#define FZ_ASSUMPTIONS 0
#endif
static u8 fz_held[FZ_ASSUMPTIONS + 1];

static void fz_count_assumptions(void) { __sanitizer_cov_8bit_counters_init(fz_held, fz_held + FZ_ASSUMPTIONS); }

void effigy_watch_assumption(u32 number, _Bool holds) {
  if (number >= FZ_ASSUMPTIONS) return;
  fz_held[number] += holds;
  if (fz_board) fz_board->assumptions[number] |= holds ? 3 : 1;
}

/* What was compared. */
enum compared { INTEGER, FLOATING, BYTES, TEXT };

struct compare {
  u64 site;
  u16 occurrence;
  u8 kind, size;
  u8 constant; /* 1: the first operand is written in the program */
  u8 case_blind;
  u8 a[OPERAND], b[OPERAND];
};

struct log {
  u32 count;
  struct compare at[MOST_COMPARES];
};

/* 0: nothing is written down; 1: everything; else: the compares of this site. */
static u64 fz_logging;
static struct log *fz_log;
/* How often a site was met in this run. */
static struct {
  u64 site;
  u32 run, count;
} fz_met[4096];
static u32 fz_met_run;

static void fz_begin_log(void) {
  fz_log->count = 0;
  fz_met_run++;
}

static struct compare *fz_new_compare(u64 site) {
  if (fz_logging != 1 && fz_logging != site) return NULL;
  if (fz_log->count >= MOST_COMPARES) return NULL;
  u32 slot = (u32)(site * 0x9e3779b97f4a7c15u >> 52);
  if (fz_met[slot].site != site || fz_met[slot].run != fz_met_run) {
    fz_met[slot].site = site;
    fz_met[slot].run = fz_met_run;
    fz_met[slot].count = 0;
  }
  if (fz_met[slot].count >= MOST_OCCURRENCES) return NULL;
  struct compare *it = &fz_log->at[fz_log->count++];
  it->site = site;
  it->occurrence = (u16)fz_met[slot].count++;
  it->constant = it->case_blind = 0;
  return it;
}

static void fz_integers(u64 site, u128 a, u128 b, u8 size, u8 constant, u8 kind) {
  struct compare *it = fz_new_compare(site);
  if (!it) return;
  it->kind = kind;
  it->size = size;
  it->constant = constant;
  memcpy(it->a, &a, sizeof a);
  memcpy(it->b, &b, sizeof b);
}

#define HERE ((u64)(uintptr_t)__builtin_return_address(0))
#define COMPARE(name, type, constant)                                                           \
  void name(type a, type b) {                                                                   \
    if (__builtin_expect(fz_logging != 0, 0)) fz_integers(HERE, a, b, sizeof a, constant, INTEGER); \
  }
COMPARE(__sanitizer_cov_trace_cmp1, u8, 0)
COMPARE(__sanitizer_cov_trace_cmp2, u16, 0)
COMPARE(__sanitizer_cov_trace_cmp4, u32, 0)
COMPARE(__sanitizer_cov_trace_cmp8, u64, 0)
COMPARE(__sanitizer_cov_trace_const_cmp1, u8, 1)
COMPARE(__sanitizer_cov_trace_const_cmp2, u16, 1)
COMPARE(__sanitizer_cov_trace_const_cmp4, u32, 1)
COMPARE(__sanitizer_cov_trace_const_cmp8, u64, 1)

void __sanitizer_cov_trace_switch(u64 value, u64 *cases) {
  if (__builtin_expect(fz_logging == 0, 1)) return;
  u64 site = HERE;
  u8 size = (u8)((cases[1] + 7) / 8);
  if (size > 8) return;
  for (u64 i = 0; i < cases[0] && i < 256; i++) fz_integers(site + (i << 48), cases[2 + i], value, size, 1, INTEGER);
}

/* Put in by the driver, before the compare. */
void effigy_watch_wide(u64 a_low, u64 a_high, u64 b_low, u64 b_high, u32 bits) {
  if (__builtin_expect(fz_logging != 0, 0))
    fz_integers(HERE, (u128)a_high << 64 | a_low, (u128)b_high << 64 | b_low, (u8)((bits + 7) / 8), 0, INTEGER);
}

#define FLOATS(name, type, bytes)                         \
  void name(type a, type b) {                             \
    if (__builtin_expect(fz_logging == 0, 1)) return;     \
    u128 x = 0, y = 0;                                    \
    memcpy(&x, &a, bytes);                                \
    memcpy(&y, &b, bytes);                                \
    fz_integers(HERE, x, y, bytes, 0, FLOATING);          \
  }
FLOATS(effigy_watch_float, float, 4)
FLOATS(effigy_watch_double, double, 8)
FLOATS(effigy_watch_x86_fp80, long double, 10)

static u32 fz_text_length(const char *it, u32 most) {
  u32 n = 0;
  while (n < most && it[n]) n++;
  return n;
}

static void fz_memory(u64 site, const u8 *a, const u8 *b, size_t n, u8 kind, u8 case_blind) {
  u32 m = n, k = n;
  if (n > OPERAND) m = k = OPERAND;
  if (kind == TEXT) {
    m = fz_text_length((const char *)a, m);
    k = fz_text_length((const char *)b, k);
    /* The end of the text counts, where it is compared. */
    if (m < n && m < OPERAND) m++;
    if (k < n && k < OPERAND) k++;
  }
  struct compare *it = m && k ? fz_new_compare(site) : NULL;
  if (!it) return;
  it->kind = kind;
  it->case_blind = case_blind;
  it->size = (u8)(m > k ? m : k);
  memset(it->a, 0, OPERAND);
  memset(it->b, 0, OPERAND);
  for (u32 i = 0; i < m; i++) it->a[i] = a[i];
  for (u32 i = 0; i < k; i++) it->b[i] = b[i];
}

#define WRAPPED(result, name, parameters, arguments, watched) \
  result __real_##name parameters;                            \
  result __wrap_##name parameters {                           \
    if (__builtin_expect(fz_logging != 0, 0)) watched;        \
    return __real_##name arguments;                           \
  }
#define MEMORY(n, kind, blind) fz_memory(HERE, (const u8 *)a, (const u8 *)b, n, kind, blind)
WRAPPED(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n), MEMORY(n, BYTES, 0))
WRAPPED(int, bcmp, (const void *a, const void *b, size_t n), (a, b, n), MEMORY(n, BYTES, 0))
WRAPPED(int, strcmp, (const char *a, const char *b), (a, b), MEMORY(~(size_t)0, TEXT, 0))
WRAPPED(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n), MEMORY(n, TEXT, 0))
WRAPPED(int, strcasecmp, (const char *a, const char *b), (a, b), MEMORY(~(size_t)0, TEXT, 1))
WRAPPED(int, strncasecmp, (const char *a, const char *b, size_t n), (a, b, n), MEMORY(n, TEXT, 1))
WRAPPED(char *, strstr, (const char *a, const char *b), (a, b),
        fz_memory(HERE, (const u8 *)a, (const u8 *)b, fz_text_length(b, OPERAND), TEXT, 0))
WRAPPED(void *, memmem, (const void *a, size_t m, const void *b, size_t n), (a, m, b, n),
        fz_memory(HERE, a, b, m < n ? m : n, BYTES, 0))
