struct Part {
  int number;
  explicit Part(int number);
  ~Part();
  int doubled() const;
};

inline int shared(int x) { return x - 1; }
