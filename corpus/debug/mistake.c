int main(void) {
    int x, y = 3;
    return y > 2 ? y : x;
}
