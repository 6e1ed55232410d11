// What libstdc++ has of <thread>, <mutex> and <condition_variable> outside of its headers.
//
// Source: libstdc++ of GCC 12, thread.cc, mutex.cc, condition_variable.cc.

extern "C" int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument);
extern "C" int pthread_join(unsigned long thread, void **result);
extern "C" int pthread_detach(unsigned long thread);
extern "C" int pthread_cond_wait(void *condition, void *mutex);
extern "C" int pthread_cond_signal(void *condition);
extern "C" int pthread_cond_broadcast(void *condition);
extern "C" int pthread_cond_destroy(void *condition);
extern "C" [[noreturn]] void effigy_unsupported(const char *what);

namespace std {

[[noreturn]] void __throw_system_error(int) { effigy_unsupported("the exception std::system_error"); }

template <typename> struct default_delete {};

// Of it only the pointer is used here; the caller ends its life.
template <typename Object, typename Deleter> class unique_ptr {
public:
    Object *pointer;
    ~unique_ptr();
};

class thread {
public:
    struct _State {
        virtual ~_State();
        virtual void _M_run() = 0;
    };
    unsigned long number;
    void _M_start_thread(unique_ptr<_State, default_delete<_State>> state, void (*)());
    void join();
    void detach();
    static unsigned hardware_concurrency() noexcept;
};

thread::_State::~_State() {}

static void *start_thread(void *given) {
    auto state = (thread::_State *)given;
    state->_M_run();
    delete state;
    return NULL;
}

void thread::_M_start_thread(unique_ptr<_State, default_delete<_State>> state, void (*)()) {
    if (pthread_create(&number, NULL, start_thread, state.pointer) != 0) __throw_system_error(11);
    state.pointer = NULL;
}

void thread::join() {
    if (number == 0 || pthread_join(number, NULL) != 0) __throw_system_error(22);
    number = 0;
}

void thread::detach() {
    if (number == 0 || pthread_detach(number) != 0) __throw_system_error(22);
    number = 0;
}

unsigned thread::hardware_concurrency() noexcept { return 2; }

class mutex;

template <typename Mutex> class unique_lock {
public:
    Mutex *held;
    bool owns;
};

// Zeros, as PTHREAD_COND_INITIALIZER has them.
class condition_variable {
    unsigned long words[6];

public:
    condition_variable() noexcept;
    ~condition_variable() noexcept;
    void wait(unique_lock<mutex> &lock) noexcept;
    void notify_one() noexcept;
    void notify_all() noexcept;
};

condition_variable::condition_variable() noexcept : words{} {}
condition_variable::~condition_variable() noexcept { pthread_cond_destroy(words); }
void condition_variable::wait(unique_lock<mutex> &lock) noexcept { pthread_cond_wait(words, lock.held); }
void condition_variable::notify_one() noexcept { pthread_cond_signal(words); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(words); }

__thread void *__once_callable;
__thread void (*__once_call)();

extern "C" void __once_proxy() { __once_call(); }

} // namespace std
