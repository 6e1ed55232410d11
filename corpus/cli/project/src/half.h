int half(int n);
