//@ idea: takes the logarithm of a probability that may have become 0
//@ caught: values
//@ block: 32
//@ grid: 1

__global__ void cross_entropy(const float* x, const int* label, float* y, float* loss, int* hits,
                              int rows, int columns) {
  if (threadIdx.x != 0) return;
  float total = 0;
  int hit = 0;
  for (int row = 0; row < rows; ++row) {
    const float* of_row = x + row * columns;
    float sum = 0;
    int first = 0;
    for (int i = 0; i < columns; ++i) {
      sum += expf(of_row[i]);
      if (of_row[i] > of_row[first]) first = i;
    }
    for (int i = 0; i < columns; ++i) y[row * columns + i] = expf(of_row[i]) / sum;
    total -= logf(y[row * columns + label[row]]);
    hit += first == label[row];
  }
  loss[0] = total / rows;
  hits[0] = hit;
}
