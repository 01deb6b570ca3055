// A tile of a matrix of rows x columns, whose first element is
// (row, column); 0 outside.
__device__ void load(float tile[16][17], const float* from,
                     int row, int column, int rows, int columns) {
  row += threadIdx.y;
  column += threadIdx.x;
  tile[threadIdx.y][threadIdx.x] =
      row < rows && column < columns ? from[row * columns + column]
                                     : 0;
}

__global__ void gradient_of_a(const float* dc, const float* b,
                              float* da, int m, int n, int k) {
  __shared__ float left[16][17], right[16][17];
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    load(left, dc, row, first, m, n);
    load(right, b, column, first, k, n);
    __syncthreads();
    for (int d = 0; d < 16; ++d)
      sum += left[threadIdx.y][d] * right[threadIdx.x][d];
    __syncthreads();
  }
  row += threadIdx.y;
  column += threadIdx.x;
  if (row < m && column < k) da[row * k + column] = sum;
}

__global__ void gradient_of_b(const float* a, const float* dc,
                              float* db, int m, int n, int k) {
  __shared__ float left[16][17], right[16][17];
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  float sum = 0;
  for (int first = 0; first < m; first += 16) {
    load(left, a, first, row, m, k);
    load(right, dc, first, column, m, n);
    __syncthreads();
    for (int d = 0; d < 16; ++d)
      sum += left[d][threadIdx.y] * right[d][threadIdx.x];
    __syncthreads();
  }
  row += threadIdx.y;
  column += threadIdx.x;
  if (row < k && column < n) db[row * n + column] = sum;
}
