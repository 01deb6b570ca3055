// Of c = a b, a: [m][k], b: [k][n], and dc: [m][n]:
//   da = dc bT: [m][k], and db = aT dc: [k][n]
// a block: 16 x 16 threads, for 16 x 16 elements of the result

// da[i][l] = the sum of dc[i][j] * b[l][j] over all j
__global__ void gradient_of_a(const float* dc, const float* b,
                              float* da, int m, int n, int k) {
  int x = threadIdx.x, y = threadIdx.y;
  int i = blockIdx.y * 16 + y, l = blockIdx.x * 16 + x;
  float sum = 0;
  // which elements of dc and b meet here?
  if (i < m && l < k) da[i * k + l] = sum;
}

// db[l][j] = the sum of a[i][l] * dc[i][j] over all i
__global__ void gradient_of_b(const float* a, const float* dc,
                              float* db, int m, int n, int k) {
  int x = threadIdx.x, y = threadIdx.y;
  int l = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
  float sum = 0;
  // which elements of a and dc meet here?
  if (l < k && j < n) db[l * n + j] = sum;
}
