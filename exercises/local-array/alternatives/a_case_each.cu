// Eight variables and a switch: lanes with different digits take turns, but nothing has an address.
__global__ void count_digits(const unsigned char* digits, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  for (int s = 0; s < 16; ++s) {
    switch (digits[i * 16 + s]) {
      case 0: ++a; break;
      case 1: ++b; break;
      case 2: ++c; break;
      case 3: ++d; break;
      case 4: ++e; break;
      case 5: ++f; break;
      case 6: ++g; break;
      default: ++h;
    }
  }
  int* mine = counts + i * 8;
  mine[0] = a, mine[1] = b, mine[2] = c, mine[3] = d;
  mine[4] = e, mine[5] = f, mine[6] = g, mine[7] = h;
}
