// CUB's primitives of warps and blocks, as its documentation uses them.
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int kThreads = 96;  // three warps

struct Largest {
  template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T, int kHow>
__global__ void reduce(const T* x, T* y, int n) {
  constexpr cub::BlockReduceAlgorithm kWays[] = {cub::BLOCK_REDUCE_RAKING, cub::BLOCK_REDUCE_WARP_REDUCTIONS,
                                                 cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY};
  using Reduce = cub::BlockReduce<T, kThreads, kWays[kHow]>;
  __shared__ typename Reduce::TempStorage a, b, c;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const T v = i < n ? x[i] : T(0);
  const T sum = Reduce(a).Sum(v), most = Reduce(b).Reduce(v, Largest());
  const int valid = min(n - int(blockIdx.x) * kThreads, kThreads);
  const T few = Reduce(c).Reduce(v, Largest(), valid);
  if (threadIdx.x == 0) y[3 * blockIdx.x] = sum, y[3 * blockIdx.x + 1] = most, y[3 * blockIdx.x + 2] = few;
}
template __global__ void reduce<int, 0>(const int*, int*, int);
template __global__ void reduce<int, 1>(const int*, int*, int);
template __global__ void reduce<int, 2>(const int*, int*, int);
template __global__ void reduce<double, 1>(const double*, double*, int);

// Five numbers a thread, loaded, scanned in each way and stored.
template <int kHow>
__global__ void scan(const int* x, int* y, int* total, int n) {
  constexpr int kItems = 5;
  constexpr cub::BlockScanAlgorithm kScans[] = {cub::BLOCK_SCAN_RAKING, cub::BLOCK_SCAN_RAKING_MEMOIZE,
                                                cub::BLOCK_SCAN_WARP_SCANS, cub::BLOCK_SCAN_WARP_SCANS};
  constexpr cub::BlockLoadAlgorithm kLoads[] = {cub::BLOCK_LOAD_DIRECT, cub::BLOCK_LOAD_TRANSPOSE,
                                                cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_LOAD_VECTORIZE};
  constexpr cub::BlockStoreAlgorithm kStores[] = {cub::BLOCK_STORE_DIRECT, cub::BLOCK_STORE_TRANSPOSE,
                                                  cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_STORE_VECTORIZE};
  using Load = cub::BlockLoad<int, kThreads, kItems, kLoads[kHow]>;
  using Store = cub::BlockStore<int, kThreads, kItems, kStores[kHow]>;
  using Scan = cub::BlockScan<int, kThreads, kScans[kHow]>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } held;
  int items[kItems], sums[kItems], mosts[kItems], sum;
  Load(held.load).Load(x, items, n, 0);
  __syncthreads();
  Scan(held.scan).ExclusiveSum(items, sums, sum);
  __syncthreads();
  Scan(held.scan).InclusiveScan(items, mosts, Largest());
  __syncthreads();
  Store(held.store).Store(y, sums, n);
  __syncthreads();
  Store(held.store).Store(y + n, mosts, n);
  if (threadIdx.x == 0) *total = sum;
}
template __global__ void scan<0>(const int*, int*, int*, int);
template __global__ void scan<1>(const int*, int*, int*, int);
template __global__ void scan<2>(const int*, int*, int*, int);
template __global__ void scan<3>(const int*, int*, int*, int);

// Keys with values, sorted up and down; a full tile.
template <class Key, class Value>
__global__ void sort(Key* keys, Value* values, bool down, int first_bit, int last_bit) {
  constexpr int kItems = 3;
  using Sort = cub::BlockRadixSort<Key, kThreads, kItems, Value>;
  __shared__ typename Sort::TempStorage held;
  Key k[kItems];
  Value v[kItems];
  cub::LoadDirectBlocked(threadIdx.x, keys, k);
  cub::LoadDirectBlocked(threadIdx.x, values, v);
  if (down) Sort(held).SortDescending(k, v, first_bit, last_bit);
  else Sort(held).SortBlockedToStriped(k, v, first_bit, last_bit);
  if (down) {
    cub::StoreDirectBlocked(threadIdx.x, keys, k);
    cub::StoreDirectBlocked(threadIdx.x, values, v);
  } else {
    cub::StoreDirectStriped<kThreads>(threadIdx.x, keys, k);
    cub::StoreDirectStriped<kThreads>(threadIdx.x, values, v);
  }
}
template __global__ void sort<unsigned, int>(unsigned*, int*, bool, int, int);
template __global__ void sort<float, int>(float*, int*, bool, int, int);
template __global__ void sort<long long, short>(long long*, short*, bool, int, int);

struct Less {
  template <class T> __device__ bool operator()(const T& a, const T& b) const { return a < b; }
};
__global__ void merge_sort(int* keys, int n) {
  constexpr int kItems = 3;
  using Sort = cub::BlockMergeSort<int, 64, kItems>;  // it asks for a power of two
  __shared__ typename Sort::TempStorage held;
  int k[kItems];
  cub::LoadDirectBlocked(threadIdx.x, keys, k, n, 0x7fffffff);
  Sort(held).StableSort(k, Less(), n, 0x7fffffff);
  cub::StoreDirectBlocked(threadIdx.x, keys, k, n);
}

template <bool kSorts>
__global__ void histogram(const unsigned char* x, unsigned* bins) {
  constexpr int kItems = 4;
  using Histogram = cub::BlockHistogram<unsigned char, kThreads, kItems, 64,
                                       kSorts ? cub::BLOCK_HISTO_SORT : cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage held;
  __shared__ unsigned own[64];
  unsigned char v[kItems];
  cub::LoadDirectStriped<kThreads>(threadIdx.x, x, v);
  Histogram(held).Histogram(v, own);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += kThreads) bins[i] = own[i];
}
template __global__ void histogram<false>(const unsigned char*, unsigned*);
template __global__ void histogram<true>(const unsigned char*, unsigned*);

// Neighbours: differences, where a new run begins, a rotation, an exchange between arrangements.
__global__ void neighbours(const int* x, int* y) {
  constexpr int kItems = 2, n = kThreads * kItems;
  using Difference = cub::BlockAdjacentDifference<int, kThreads>;
  using Heads = cub::BlockDiscontinuity<int, kThreads>;
  using Shuffle = cub::BlockShuffle<int, kThreads>;
  using Exchange = cub::BlockExchange<int, kThreads, kItems>;
  __shared__ typename Difference::TempStorage a;
  __shared__ typename Heads::TempStorage b;
  __shared__ typename Shuffle::TempStorage c;
  __shared__ typename Exchange::TempStorage d;
  int v[kItems], out[kItems];
  cub::LoadDirectBlocked(threadIdx.x, x, v);
  Difference(a).SubtractLeft(v, out, [](int l, int r) { return l - r; });
  cub::StoreDirectBlocked(threadIdx.x, y, out);
  Heads(b).FlagHeads(out, v, [](int l, int r) { return l / 8 != r / 8; });
  cub::StoreDirectBlocked(threadIdx.x, y + n, out);
  int turned;
  Shuffle(c).Rotate(v[0], turned, 5);
  y[2 * n + threadIdx.x] = turned;
  Exchange(d).BlockedToStriped(v, out);
  cub::StoreDirectBlocked(threadIdx.x, y + 2 * n + kThreads, out);
}

// Warps of whole and of a quarter's size.
template <int kWidth>
__global__ void warps(const int* x, int* y) {
  using Reduce = cub::WarpReduce<int, kWidth>;
  using Scan = cub::WarpScan<int, kWidth>;
  using Sort = cub::WarpMergeSort<int, 2, kWidth>;
  constexpr int kEach = kThreads / kWidth;
  __shared__ typename Reduce::TempStorage a[kEach], b[kEach];
  __shared__ typename Scan::TempStorage c[kEach];
  __shared__ typename Sort::TempStorage d[kEach];
  const int t = threadIdx.x, w = t / kWidth;
  const int v = x[t];
  const int sum = Reduce(a[w]).Sum(v);
  const int run = Reduce(b[w]).HeadSegmentedSum(v, t % 5 == 0);
  int before, all;
  Scan(c[w]).ExclusiveSum(v, before, all);
  int keys[2] = {v, v ^ 21};
  Sort(d[w]).Sort(keys, Less());
  int* o = y + 6 * t;
  o[0] = t % kWidth == 0 ? sum : 0;
  o[1] = t % kWidth == 0 || t % 5 == 0 ? run : 0;
  o[2] = before;
  o[3] = all;
  o[4] = keys[0];
  o[5] = keys[1];
}
template __global__ void warps<32>(const int*, int*);
template __global__ void warps<8>(const int*, int*);

// Runs written out again.
__global__ void decode_runs(const int* values, const int* lengths, int* y) {
  using Decode = cub::BlockRunLengthDecode<int, kThreads, 1, 2>;
  __shared__ typename Decode::TempStorage held;
  int v[1] = {values[threadIdx.x]}, length[1] = {lengths[threadIdx.x]}, total = 0;
  Decode decode(held, v, length, total);
  for (int from = 0; from < total; from += kThreads * 2) {
    int out[2];
    decode.RunLengthDecode(out, from);
    cub::StoreDirectBlocked(threadIdx.x, y + from, out, total - from);
  }
}
