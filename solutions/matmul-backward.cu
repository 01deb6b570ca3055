// Of c = a b, a: [m][k], b: [k][n], and dc: [m][n]:
//   da = dc bT: [m][k], and db = aT dc: [k][n]
// a block: 16 x 16 threads, for 16 x 16 elements of the result

// da[i][l] = the sum of dc[i][j] * b[l][j] over all j
__global__ void gradient_of_a(const float* dc, const float* b,
                              float* da, int m, int n, int k) {
  __shared__ float dc_tile[16][17], b_tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int i = blockIdx.y * 16 + y, l = blockIdx.x * 16 + x;
  int row_of_b = blockIdx.x * 16 + y;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    int j = first + x;  // neighbouring lanes read neighbours
    dc_tile[y][x] = i < m && j < n ? dc[i * n + j] : 0;
    b_tile[y][x] =
        row_of_b < k && j < n ? b[row_of_b * n + j] : 0;
    __syncthreads();  // both tiles are there
    for (int d = 0; d < 16; ++d)
      sum += dc_tile[y][d] * b_tile[x][d];
    __syncthreads();  // both tiles were read
  }
  if (i < m && l < k) da[i * k + l] = sum;
}

// db[l][j] = the sum of a[i][l] * dc[i][j] over all i
__global__ void gradient_of_b(const float* a, const float* dc,
                              float* db, int m, int n, int k) {
  __shared__ float a_tile[16][17], dc_tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int l = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
  int column_of_a = blockIdx.y * 16 + x;
  float sum = 0;
  for (int first = 0; first < m; first += 16) {
    int i = first + y;
    a_tile[y][x] =
        i < m && column_of_a < k ? a[i * k + column_of_a] : 0;
    dc_tile[y][x] = i < m && j < n ? dc[i * n + j] : 0;
    __syncthreads();  // both tiles are there
    for (int d = 0; d < 16; ++d)
      sum += a_tile[d][y] * dc_tile[d][x];
    __syncthreads();  // both tiles were read
  }
  if (l < k && j < n) db[l * n + j] = sum;
}
