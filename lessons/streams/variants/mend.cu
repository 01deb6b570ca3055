// Mends scratches: a pixel that differs by more than 40
// from the mean of its surroundings in its row takes
// that mean instead.
__global__ void mend(const unsigned char* film,
                     unsigned char* clean, int width,
                     int radius, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = i % width;
  int first = max(x - radius, 0);
  int last = min(x + radius, width - 1);
  int sum = 0;
  for (int k = first; k <= last; ++k) {
    sum += film[i - x + k];
  }
  int mean = sum / (last - first + 1);
  bool scratch = abs(film[i] - mean) > 40;
  clean[i] = scratch ? mean : film[i];
}
