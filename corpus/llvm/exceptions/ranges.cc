//@ paths: 2
// What the headers of the library throw by functions that are elsewhere.
#include <array>
#include <effigy.h>
#include <stdexcept>
#include <vector>

int main() {
    unsigned at = effigy_uchar("at");
    std::array<int, 3> array = {1, 2, 3};
    try {
        return array.at(at) > 0 ? 1 : 0;
    } catch (const std::out_of_range &) {
        return 99;
    }
}
