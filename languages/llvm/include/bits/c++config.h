// libstdc++ has the code of `std::string` in its binary, and says so in this header of its own; there we cannot read it.
// Here the program has the code itself, as it has that of every other template.
#pragma GCC system_header
#include_next <bits/c++config.h>
#if defined(_GLIBCXX_EXTERN_TEMPLATE) && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
