//@ idea: one pass: each block looks back at what the blocks before it have made known so far
//@ block: 256
//@ defines: ITEMS=4
//@ needs: 75
//@ registers: 48
//@ bytes: 8 * n
//@ flops: 8 * n
//@ atomics: f32
//@ depth: ITEMS + 20 + tiles
//@ let: tiles = ceil_div(n, ITEMS * block)
//@ workspace: state u64[tiles]
//@ workspace: ticket u32[1]
//@ zero: state, ticket
//@ launch: scan_tiles(x, out, state, ticket, n)
//@ grid: tiles

#ifndef ITEMS
#define ITEMS 4
#endif

// x, out: [n], out[i] = x[0] + ... + x[i]; state: [tiles], ticket: [1], both 0 at first
//
// Why write sums that a later launch has to read, when the block before is running at this moment? A block can publish what it
// knows, and others can wait for it ("decoupled look-back", Merrill and Garland, 2016):
//   - a tile that has summed itself publishes its *own* sum, at once;
//   - then it walks back: adds up the own sums of those before it, until one has published its *whole* sum, of all up to it;
//   - then it publishes its own whole sum, so that nobody has to walk past it.
// Everything is read once and written once: 8 bytes an element. The walk is short, because most of those before are done.
//
// Two things make it safe. Waiting for another block is only allowed if that one has begun: so tiles are handed out by a counter, in
// the order in which blocks begin, not by blockIdx. And status and value have to arrive together: both are in one word of 64
// bits, written and read as one, so no fence is needed.
//
// How many steps a walk takes depends on who was faster, and so does the order of additions: two runs may differ in the last bits.
constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;
enum Status : unsigned { kNothing, kOwn, kWhole };

__device__ void publish(unsigned long long* place, Status status, float sum) {
  const unsigned long long word =
      static_cast<unsigned long long>(status) << 32 | __float_as_uint(sum);
  __nv_atomic_store_n(place, word, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

__device__ float warp_scan(float value, int lane) {
  for (int offset = 1; offset < kWarp; offset *= 2) {
    const float before = __shfl_up_sync(kAllLanes, value, offset);
    if (lane >= offset) value += before;
  }
  return value;
}

/// The sum of all elements before `tile`, by one warp: 32 predecessors at a time, the nearest in lane 0.
__device__ float look_back(unsigned long long* state, int tile, int lane) {
  float before = 0;
  for (int nearest = tile - 1; nearest >= 0; nearest -= kWarp) {
    const int other = nearest - lane;
    unsigned status = kWhole;  // before the first tile there is nothing, and all of it is known
    float sum = 0;
    do {
      if (other >= 0) {
        const unsigned long long word =
            __nv_atomic_load_n(state + other, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
        status = static_cast<unsigned>(word >> 32);
        sum = __uint_as_float(static_cast<unsigned>(word));
      }
    } while (__any_sync(kAllLanes, status == kNothing));
    const unsigned whole = __ballot_sync(kAllLanes, status == kWhole);
    // The nearest whole sum covers all that lies further back.
    const int farthest = whole ? __ffs(whole) - 1 : kWarp - 1;
    const float window = warp_scan(lane <= farthest ? sum : 0, lane);
    before += __shfl_sync(kAllLanes, window, kWarp - 1);
    if (whole) break;
  }
  return before;
}

__global__ void scan_tiles(const float* x, float* out, unsigned long long* state, unsigned* ticket, int n) {
  __shared__ float warp_sums[kWarp];
  __shared__ int shared_tile;
  __shared__ float shared_before;
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int warps = blockDim.x / kWarp;

  if (threadIdx.x == 0) shared_tile = atomicAdd(ticket, 1);
  __syncthreads();  // all read the tile that thread 0 drew
  const int tile = shared_tile;

  // A warp has ITEMS rows of 32 neighbours, one after the other: each request is four whole sectors.
  const int begin = (tile * warps + warp) * kWarp * ITEMS + lane;
  float sums[ITEMS];
  float of_warp = 0;
  for (int k = 0; k < ITEMS; ++k) {
    const int i = begin + k * kWarp;
    sums[k] = of_warp + warp_scan(i < n ? x[i] : 0, lane);
    of_warp = __shfl_sync(kAllLanes, sums[k], kWarp - 1);
  }
  if (lane == 0) warp_sums[warp] = of_warp;
  __syncthreads();  // the first warp reads what the others have stored
  if (warp == 0) {
    const float upto_warp = warp_scan(lane < warps ? warp_sums[lane] : 0, lane);
    const float total = __shfl_sync(kAllLanes, upto_warp, kWarp - 1);
    if (lane == 0) publish(state + tile, tile == 0 ? kWhole : kOwn, total);
    const float before_tile = look_back(state, tile, lane);
    if (lane == 0 && tile > 0) publish(state + tile, kWhole, before_tile + total);
    warp_sums[lane] = upto_warp;
    if (lane == 0) shared_before = before_tile;
  }
  __syncthreads();  // all read what the first warp has found

  const float before = shared_before + (warp == 0 ? 0 : warp_sums[warp - 1]);
  for (int k = 0; k < ITEMS; ++k) {
    const int i = begin + k * kWarp;
    if (i < n) out[i] = before + sums[k];
  }
}
