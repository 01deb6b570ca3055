//@ idea: a thread is a counter, and makes four numbers of it
//@ block: 256
//@ grid: ceil_div(ceil_div(n, 4), block)
//@ registers: 48
//@ bytes: 4 * n
//@ flops: 2 * n

// out = low + (high - low) u, where u is one of the 2^24 numbers 0, 2^-24, ... below 1      out: [n]
//
// A generator with a state would have to be run up to each thread's place. One that scrambles a
// counter needs no state, so the same seed gives the same numbers whatever the grid is. The stream
// keeps the numbers of one tensor apart from those of another.

// Philox4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
// Ten rounds mix a counter with a key. Each counter gives four words that look random, and none
// needs another one's.
__device__ uint4 philox(unsigned counter, unsigned seed, unsigned stream) {
  uint4 words = {counter, 0, 0, 0};
  for (int round = 0; round < 10; ++round) {
    const unsigned high_0 = __umulhi(0xd2511f53u, words.x), low_0 = 0xd2511f53u * words.x;
    const unsigned high_1 = __umulhi(0xcd9e8d57u, words.z), low_1 = 0xcd9e8d57u * words.z;
    words = {high_1 ^ words.y ^ seed, low_1, high_0 ^ words.w ^ stream, low_0};
    seed += 0x9e3779b9u;
    stream += 0xbb67ae85u;
  }
  return words;
}

__global__ void random_uniform(float* out, int n, unsigned seed, unsigned stream, float low,
                               float high) {
  const int counter = blockIdx.x * blockDim.x + threadIdx.x;
  if (counter >= (n + 3) / 4) return;  // the last block reaches past the end
  const uint4 words = philox(counter, seed, stream);
  const unsigned of_thread[4] = {words.x, words.y, words.z, words.w};
  // 24 bits are what a float can hold below 1.
  for (int i = 0; i < 4 && counter * 4 + i < n; ++i)
    out[counter * 4 + i] = low + (high - low) * ((of_thread[i] >> 8) * 0x1p-24f);
}
