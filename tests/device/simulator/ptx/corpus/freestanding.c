// C without CUDA's headers. freestanding.ptx: clang 14, --target=nvptx64, sm_70, ptx64, -O1.
typedef float Vector __attribute__((vector_size(16)));
static const int kWeights[3][2] = {{1, 2}, {3, 4}, {5, 6}};
int counter = 7;
int* where = &counter;
double twice(double x);

struct Pair {
  int first;
  double second;
};

__attribute__((noinline)) struct Pair swap(struct Pair p, int depth) {
  if (depth == 0) {
    p.second = kWeights[p.first % 3][1] + *where;
    return p;
  }
  struct Pair q = swap(p, depth - 1);
  q.first += (int)twice(q.second);
  return q;
}

void scale(Vector* v, int n, int (*choose)(int)) {
  for (int i = 0; i < n; ++i) {
    switch (choose(i)) {
      case 0: v[i] *= 2.0f; break;
      case 1: v[i] += v[i + 1]; break;
      case 2: v[i] = -v[i]; break;
      case 3: counter++; break;
      case 4: v[i] /= v[0]; break;
      case 5: __builtin_trap();
    }
  }
}
