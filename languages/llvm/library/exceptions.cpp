// Exceptions and run-time type information of C++: what libsupc++ has out of line.
//
// Knows: the life of an exception, which handler takes it, casts along the bases of an object.
// Never: frames. The interpreter says which calls have a landing pad and with which clauses (effigy_unwind_...), and
// leaves calls (effigy_unwind_land).
// Source: Itanium C++ ABI, Exception Handling 2.4-2.5 and 2.9.5 (type_info); libsupc++ of GCC 12 where that is silent.

namespace std {
class type_info {
public:
    virtual ~type_info();
    bool operator==(const type_info &other) const noexcept;
    bool before(const type_info &other) const noexcept;
    // Which of the classes below it is of; libsupc++ asks by other virtual functions, which no program calls.
    virtual int kind() const;
    const char *written;
};
} // namespace std

namespace __cxxabiv1 {

enum { OTHER, FUNCTION, CLASS, SINGLE, SEVERAL, POINTER, MEMBER_POINTER };
enum { IS_CONST = 1, FUNCTION_QUALIFIERS = 0x60 };
enum { IS_VIRTUAL = 1, IS_PUBLIC = 2, OFFSET_SHIFT = 8 };

#define KIND(name, base, which, fields) \
    class name : public base { \
    public: \
        ~name() override; \
        int kind() const override; \
        fields \
    }; \
    name::~name() {} \
    int name::kind() const { return which; }

class __class_type_info;
struct __base_class_type_info {
    const __class_type_info *base;
    long offset_flags;
};

KIND(__fundamental_type_info, std::type_info, OTHER, )
KIND(__array_type_info, std::type_info, OTHER, )
KIND(__enum_type_info, std::type_info, OTHER, )
KIND(__function_type_info, std::type_info, FUNCTION, )
KIND(__class_type_info, std::type_info, CLASS, )
KIND(__si_class_type_info, __class_type_info, SINGLE, const __class_type_info *base;)
KIND(__vmi_class_type_info, __class_type_info, SEVERAL, unsigned flags; unsigned count; __base_class_type_info bases[1];)
KIND(__pbase_type_info, std::type_info, OTHER, unsigned flags; const std::type_info *pointee;)
KIND(__pointer_type_info, __pbase_type_info, POINTER, )
KIND(__pointer_to_member_type_info, __pbase_type_info, MEMBER_POINTER, const __class_type_info *context;)

} // namespace __cxxabiv1

using namespace __cxxabiv1;
using std::type_info;

// An exception: allocated, thrown, caught. A landing pad gets its address.
struct effigy_exception {
    void *object;
    const type_info *type;
    void (*destructor)(void *);
    // That whose object it is: itself, unless rethrow_exception has thrown it.
    effigy_exception *primary;
    // Of a primary one: the handlers and exception_ptrs that keep it.
    long references;
    // The handlers that it is in; negative if it was thrown again in one.
    int handlers;
    // The handler that was found for it: the call, counted from the outermost, what its landing pad is told, and where the
    // part of the object is that it catches.
    long frame;
    int selector;
    void *adjusted;
    effigy_exception *next_caught;
    effigy_exception *next;
};

extern "C" {
// What the landing pad that is entered next is told.
struct {
    void *exception;
    int selector;
} effigy_landing;

// The next call, counted from the outermost, below `frame` (-1: below none) that has a landing pad, times 2; plus 1 for a
// call without one that must not throw. -1 for none.
long effigy_unwind_next(long frame);
// A clause of the landing pad of a call: -1 for none, -2 for `catch`, or of how many types a filter is.
long effigy_unwind_clause(long frame, long clause);
const type_info *effigy_unwind_type(long frame, long clause, long index);
bool effigy_unwind_cleans(long frame);
// By which number a landing pad knows a type.
int effigy_unwind_selector(const type_info *type);
// Leaves all calls above `frame`, which goes on at its landing pad.
[[noreturn]] void effigy_unwind_land(long frame);
// The end of a program by std::terminate. `handled`: an exception has left what must not throw.
[[noreturn]] void effigy_terminate(const char *type, const char *what, bool handled);
[[noreturn]] void effigy_unsupported(const char *what);
}

// Whether the program ends, and what is said of an exception is only for the report.
bool effigy_ends;

// Each thread has its own.
static __thread effigy_exception *all, *caught;
static __thread int uncaught;
enum { TERMINATES = 0, CATCHES_ALL = 0x7fffffff, UNEXPECTED = -1 };

// --- type_info

namespace std {
type_info::~type_info() {}
int type_info::kind() const { return OTHER; }

bool type_info::operator==(const type_info &other) const noexcept {
    if (this == &other || written == other.written) return true;
    return written[0] != '*' && strcmp(written, other.written) == 0;
}

bool type_info::before(const type_info &other) const noexcept {
    if (written[0] != '*' || other.written[0] != '*') return strcmp(written, other.written) < 0;
    return written < other.written;
}
} // namespace std

static bool is_class(const type_info *type) {
    int kind = type->kind();
    return kind == CLASS || kind == SINGLE || kind == SEVERAL;
}

// Calls `visit(base, is virtual, is public, offset)` for each direct base.
template <typename Visit> static void for_each_base(const type_info *type, Visit visit) {
    switch (type->kind()) {
    case SINGLE:
        visit(static_cast<const __si_class_type_info *>(type)->base, false, true, 0l);
        break;
    case SEVERAL: {
        auto several = static_cast<const __vmi_class_type_info *>(type);
        for (unsigned at = 0; at < several->count; at++) {
            const __base_class_type_info &it = several->bases[at];
            visit(it.base, (it.offset_flags & IS_VIRTUAL) != 0, (it.offset_flags & IS_PUBLIC) != 0,
                  it.offset_flags >> OFFSET_SHIFT);
        }
    }
    }
}

// Where a base is in the object at `address`; of a virtual one the table of virtual functions says so.
static const char *base_of(const char *address, bool is_virtual, long offset) {
    if (address == NULL) return NULL;
    return address + (is_virtual ? *(const long *)(*(const char *const *)address + offset) : offset);
}

// The bases of one class among those of another, whether or not there is an object.
struct BaseSearch {
    const type_info *wanted;
    bool found, several, is_public, any_private;
    // Which it is: the last virtual base on the way to it, and how far from there.
    const type_info *virtual_base;
    long offset;
    const char *address;
};

static void search_bases(const type_info *type, const char *address, const type_info *virtual_base, long offset,
                         bool is_public, BaseSearch *search) {
    if (*type == *search->wanted) {
        search->any_private |= !is_public;
        if (!search->found) {
            search->found = true;
            search->is_public = is_public;
            search->virtual_base = virtual_base;
            search->offset = offset;
            search->address = address;
            return;
        }
        bool same_base = virtual_base == search->virtual_base
            || (virtual_base != NULL && search->virtual_base != NULL && *virtual_base == *search->virtual_base);
        if (same_base && offset == search->offset)
            search->is_public |= is_public;
        else
            search->several = true;
        return;
    }
    for_each_base(type, [&](const type_info *base, bool is_virtual, bool base_is_public, long at) {
        search_bases(base, base_of(address, is_virtual, at), is_virtual ? base : virtual_base,
                     is_virtual ? 0 : offset + at, is_public && base_is_public, search);
    });
}

// --- dynamic_cast

// What a walk over all parts of an object finds.
struct CastSearch {
    const type_info *source_type;
    const char *source;
    const type_info *wanted;
    // The object of the wanted type around the source, and any.
    const char *around, *any;
    bool around_several, around_public, any_several, any_public, source_public;
};

// Whether the source is a part of this: 0, 1, or 3 where it is by way of public bases.
static int contains(const type_info *type, const char *address, bool is_public, const CastSearch *search) {
    if (address == search->source && *type == *search->source_type) return is_public ? 3 : 1;
    int res = 0;
    for_each_base(type, [&](const type_info *base, bool is_virtual, bool base_is_public, long at) {
        res |= contains(base, base_of(address, is_virtual, at), is_public && base_is_public, search);
    });
    return res;
}

static void search_parts(const type_info *type, const char *address, bool is_public, CastSearch *search) {
    if (*type == *search->wanted) {
        if (int how = contains(type, address, true, search)) {
            if (search->around != NULL && search->around != address) search->around_several = true;
            search->around = address;
            search->around_public |= how == 3;
        }
        if (search->any != NULL && search->any != address) search->any_several = true;
        search->any = address;
        search->any_public |= is_public;
    }
    if (address == search->source && *type == *search->source_type) search->source_public |= is_public;
    for_each_base(type, [&](const type_info *base, bool is_virtual, bool base_is_public, long at) {
        search_parts(base, base_of(address, is_virtual, at), is_public && base_is_public, search);
    });
}

extern "C" void *__dynamic_cast(const void *source, const type_info *source_type, const type_info *wanted, long) {
    const long *table = *(const long *const *)source;
    const char *whole = (const char *)source + table[-2];
    const type_info *whole_type = (const type_info *)table[-1];
    const long *whole_table = *(const long *const *)whole;
    // A part of an object that is being constructed is no part of another yet.
    if ((const type_info *)whole_table[-1] != whole_type) return NULL;
    CastSearch search = {source_type, (const char *)source, wanted, NULL, NULL, false, false, false, false, false};
    search_parts(whole_type, whole, true, &search);
    if (search.around != NULL && !search.around_several && search.around_public) return (void *)search.around;
    if (search.any != NULL && !search.any_several && search.any_public && search.source_public)
        return (void *)search.any;
    return NULL;
}

// --- which handler

static bool is_null_type(const type_info *type) { return strcmp(type->written, "Dn") == 0; }

static bool is_void(const type_info *type) { return strcmp(type->written, "v") == 0; }

static long no_member = -1;

// Whether a handler of this type takes what was thrown. `*object` becomes the part of it that is caught; of a pointer its
// value. `outer`: 2 for each pointer around, plus 1 as long as all of them are const.
static bool catches(const type_info *handler, const type_info *thrown, void **object, unsigned outer) {
    if (*handler == *thrown) return true;
    int kind = handler->kind();
    if (is_class(handler)) {
        if (outer >= 4 || !is_class(thrown)) return false;
        BaseSearch search = {handler, false, false, false, false, NULL, 0, NULL};
        search_bases(thrown, (const char *)*object, NULL, 0, true, &search);
        // libsupc++ stops its search at some of these, and takes what C++ says is ambiguous.
        if (search.several && search.any_private) effigy_unsupported("a handler of an ambiguous base that is private in part");
        if (!search.found || search.several || !search.is_public) return false;
        *object = (void *)search.address;
        return true;
    }
    if (kind != POINTER && kind != MEMBER_POINTER) return false;
    if (is_null_type(thrown)) {
        *object = kind == POINTER ? NULL : &no_member;
        return true;
    }
    if (thrown->kind() != kind || !(outer & 1)) return false;
    auto to = static_cast<const __pbase_type_info *>(handler);
    auto from = static_cast<const __pbase_type_info *>(thrown);
    unsigned flags = from->flags, own = flags & FUNCTION_QUALIFIERS, wanted = to->flags & FUNCTION_QUALIFIERS;
    if (own & ~wanted) flags &= wanted;
    if (wanted & ~own) return false;
    if (flags & ~to->flags) return false;
    if (!(to->flags & IS_CONST)) outer &= ~1u;
    if (kind == MEMBER_POINTER) {
        auto a = static_cast<const __pointer_to_member_type_info *>(handler);
        auto b = static_cast<const __pointer_to_member_type_info *>(thrown);
        if (!(*a->context == *b->context)) return false;
    } else if (outer < 2 && is_void(to->pointee)) {
        return from->pointee->kind() != FUNCTION;
    }
    return catches(to->pointee, from->pointee, object, outer + 2);
}

static bool takes(const type_info *handler, effigy_exception *it, void **part) {
    void *object = it->object;
    if (it->type->kind() == POINTER) object = *(void **)object;
    if (!catches(handler, it->type, &object, 1)) return false;
    *part = object;
    return true;
}

static bool is_expected(long frame, long clause, long count, effigy_exception *it) {
    void *part;
    for (long at = 0; at < count; at++)
        if (takes(effigy_unwind_type(frame, clause, at), it, &part)) return true;
    return false;
}

// Finds what ends the way of an exception; nothing is left before.
static bool find_handler(effigy_exception *it) {
    for (long next = effigy_unwind_next(-1); next >= 0; next = effigy_unwind_next(next >> 1)) {
        it->frame = next >> 1;
        it->adjusted = it->object;
        if (next & 1) {
            it->selector = TERMINATES;
            return true;
        }
        for (long clause = 0;; clause++) {
            long kind = effigy_unwind_clause(it->frame, clause);
            if (kind == -1) break;
            if (kind == -2) {
                const type_info *handler = effigy_unwind_type(it->frame, clause, 0);
                if (handler != NULL && !takes(handler, it, &it->adjusted)) continue;
                it->selector = handler == NULL ? CATCHES_ALL : effigy_unwind_selector(handler);
                return true;
            }
            if (!is_expected(it->frame, clause, kind, it)) {
                it->selector = UNEXPECTED;
                return true;
            }
        }
    }
    return false;
}

// --- the way to it

namespace std {
[[noreturn]] void terminate() noexcept;
}

extern "C" void *__cxa_begin_catch(void *exception) noexcept;

static void land(long frame, effigy_exception *it, int selector) {
    effigy_landing.exception = it;
    effigy_landing.selector = selector;
    effigy_unwind_land(frame);
}

// Goes on to the handler that was found, by way of what has to be cleaned up.
[[noreturn]] static void go_on(effigy_exception *it) {
    for (long next = effigy_unwind_next(-1); next >= 0; next = effigy_unwind_next(next >> 1)) {
        long frame = next >> 1;
        if (frame == it->frame) {
            if (it->selector != TERMINATES) land(frame, it, it->selector);
            break;
        }
        if (!(next & 1) && effigy_unwind_cleans(frame)) land(frame, it, 0);
    }
    __cxa_begin_catch(it);
    std::terminate();
}

static __thread bool nobody_catches;

[[noreturn]] static void raise(effigy_exception *it) {
    uncaught++;
    if (find_handler(it)) go_on(it);
    nobody_catches = true;
    __cxa_begin_catch(it);
    std::terminate();
}

extern "C" [[noreturn]] void effigy_resume(void *exception) { go_on((effigy_exception *)exception); }

static effigy_exception *new_exception(void *object) {
    auto res = (effigy_exception *)malloc(sizeof(effigy_exception));
    *res = {object, NULL, NULL, res, 0, 0, -1, 0, object, NULL, all};
    all = res;
    return res;
}

// The primary exception with this object.
static effigy_exception *exception_of(void *object) {
    effigy_exception *it = all;
    while (it != NULL && !(it->object == object && it->primary == it)) it = it->next;
    return it;
}

static void forget(effigy_exception *it) {
    effigy_exception **at = &all;
    while (*at != it) at = &(*at)->next;
    *at = it->next;
    free(it);
}

// One handler or exception_ptr less keeps it.
static void release(effigy_exception *it) {
    effigy_exception *primary = it->primary;
    if (it != primary) forget(it);
    if (--primary->references > 0) return;
    void *object = primary->object;
    if (primary->destructor != NULL) primary->destructor(object);
    forget(primary);
    free(object);
}

extern "C" {
void *__cxa_allocate_exception(size_t size) noexcept {
    void *object = malloc(size);
    new_exception(object);
    return object;
}

void __cxa_free_exception(void *object) noexcept {
    forget(exception_of(object));
    free(object);
}

effigy_exception *__cxa_init_primary_exception(void *object, type_info *type, void (*destructor)(void *)) noexcept {
    effigy_exception *it = exception_of(object);
    it->type = type;
    it->destructor = destructor;
    return it;
}

[[noreturn]] void __cxa_throw(void *object, type_info *type, void (*destructor)(void *)) {
    effigy_exception *it = __cxa_init_primary_exception(object, type, destructor);
    it->references = 1;
    raise(it);
}

void *__cxa_get_exception_ptr(void *exception) noexcept { return ((effigy_exception *)exception)->adjusted; }

void *__cxa_begin_catch(void *exception) noexcept {
    auto it = (effigy_exception *)exception;
    it->handlers = it->handlers < 0 ? 1 - it->handlers : it->handlers + 1;
    uncaught--;
    if (it != caught) {
        it->next_caught = caught;
        caught = it;
    }
    return it->adjusted;
}

void __cxa_end_catch() {
    effigy_exception *it = caught;
    if (it == NULL) return;
    if (it->handlers < 0) {
        // It was thrown again, and is still on its way.
        if (++it->handlers == 0) caught = it->next_caught;
        return;
    }
    if (--it->handlers > 0) return;
    caught = it->next_caught;
    release(it);
}

[[noreturn]] void __cxa_rethrow() {
    effigy_exception *it = caught;
    if (it == NULL) std::terminate();
    it->handlers = -it->handlers;
    raise(it);
}

type_info *__cxa_current_exception_type() noexcept { return caught == NULL ? NULL : (type_info *)caught->type; }

[[noreturn]] void __cxa_call_unexpected(void *exception) {
    __cxa_begin_catch(exception);
    std::terminate();
}

[[noreturn]] void __cxa_call_terminate(void *exception) noexcept {
    __cxa_begin_catch(exception);
    std::terminate();
}
}

// --- the classes of the language itself

namespace std {

#define EXCEPTION(name, base, text) \
    class name : public base { \
    public: \
        name() noexcept {} \
        ~name() noexcept override; \
        const char *what() const noexcept override; \
    }; \
    name::~name() noexcept {} \
    const char *name::what() const noexcept { return text; }

class exception {
public:
    exception() noexcept {}
    virtual ~exception() noexcept;
    virtual const char *what() const noexcept;
};
exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }

EXCEPTION(bad_exception, exception, "std::bad_exception")
EXCEPTION(bad_alloc, exception, "std::bad_alloc")
EXCEPTION(bad_array_new_length, bad_alloc, "std::bad_array_new_length")
EXCEPTION(bad_cast, exception, "std::bad_cast")
EXCEPTION(bad_typeid, exception, "std::bad_typeid")

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }

int uncaught_exceptions() noexcept { return uncaught; }
bool uncaught_exception() noexcept { return uncaught != 0; }

// --- the end

typedef void (*terminate_handler)();

static void end_by_default() {
    effigy_ends = true;
    if (caught == NULL) effigy_terminate(NULL, NULL, false);
    const char *what = NULL;
    if (is_class(caught->type)) {
        alignas(8) static const char name[] = "St9exception";
        void *part = caught->object;
        __class_type_info wanted;
        wanted.written = name;
        if (catches(&wanted, caught->type, &part, 1)) what = ((exception *)part)->what();
    }
    effigy_terminate(caught->type->written, what, !nobody_catches);
}

static terminate_handler at_terminate = end_by_default;

[[noreturn]] void terminate() noexcept {
    try {
        at_terminate();
    } catch (...) {
    }
    abort();
}

terminate_handler set_terminate(terminate_handler handler) noexcept {
    terminate_handler res = at_terminate;
    at_terminate = handler;
    return res;
}

terminate_handler get_terminate() noexcept { return at_terminate; }

[[noreturn]] void unexpected() { terminate(); }

terminate_handler set_unexpected(terminate_handler) noexcept { effigy_unsupported("std::set_unexpected"); }

// --- exception_ptr

namespace __exception_ptr {
class exception_ptr {
    void *object;

public:
    explicit exception_ptr(void *object) noexcept;
    exception_ptr() noexcept;
    exception_ptr(const exception_ptr &other) noexcept;
    exception_ptr &operator=(const exception_ptr &other) noexcept;
    ~exception_ptr() noexcept;
    void swap(exception_ptr &other) noexcept;
    const type_info *__cxa_exception_type() const noexcept;
    void _M_addref() noexcept;
    void _M_release() noexcept;
    void *_M_get() const noexcept;
};

exception_ptr::exception_ptr(void *object) noexcept : object(object) {
    if (object != NULL) _M_addref();
}
exception_ptr::exception_ptr() noexcept : object(NULL) {}
exception_ptr::exception_ptr(const exception_ptr &other) noexcept : object(other.object) {
    if (object != NULL) _M_addref();
}
exception_ptr &exception_ptr::operator=(const exception_ptr &other) noexcept {
    exception_ptr copy(other);
    swap(copy);
    return *this;
}
exception_ptr::~exception_ptr() noexcept {
    if (object != NULL) _M_release();
}
void exception_ptr::swap(exception_ptr &other) noexcept {
    void *own = object;
    object = other.object;
    other.object = own;
}
const type_info *exception_ptr::__cxa_exception_type() const noexcept { return exception_of(object)->type; }
void exception_ptr::_M_addref() noexcept {
    if (object != NULL) exception_of(object)->references++;
}
void exception_ptr::_M_release() noexcept {
    if (object == NULL) return;
    void *own = object;
    object = NULL;
    release(exception_of(own));
}
void *exception_ptr::_M_get() const noexcept { return object; }

bool operator==(const exception_ptr &a, const exception_ptr &b) noexcept { return a._M_get() == b._M_get(); }
bool operator!=(const exception_ptr &a, const exception_ptr &b) noexcept { return a._M_get() != b._M_get(); }
} // namespace __exception_ptr

using __exception_ptr::exception_ptr;

exception_ptr current_exception() noexcept { return exception_ptr(caught == NULL ? NULL : caught->object); }

void rethrow_exception(exception_ptr pointer) {
    effigy_exception *primary = exception_of(pointer._M_get());
    if (primary == NULL) terminate();
    effigy_exception *it = new_exception(primary->object);
    it->type = primary->type;
    it->primary = primary;
    primary->references++;
    raise(it);
}

class nested_exception {
    exception_ptr pointer;

public:
    nested_exception() noexcept : pointer(current_exception()) {}
    virtual ~nested_exception() noexcept;
};
nested_exception::~nested_exception() noexcept {}

} // namespace std

extern "C" {
void __cxa_bad_cast() { throw std::bad_cast(); }
void __cxa_bad_typeid() { throw std::bad_typeid(); }
void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
}
