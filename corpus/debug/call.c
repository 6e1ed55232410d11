int table[4] = {2, 3, 5, 7};

/* King 1976, figure 1, and a search. */
int sum(int a, int b, int c) {
    int x = a + b;
    int y = b + c;
    int z = x + y - b;
    return z;
}

int search(int *in, int count, int x) {
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (in[middle] == x)
            return middle;
        if (in[middle] < x)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void) {
    return sum(1, 3, 5);
}
