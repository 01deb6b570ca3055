// Plans, and the transforms that follow them.
#pragma GCC visibility push(default)
#include "device/runtime/libraries/include/cufft.h"
#pragma GCC visibility pop

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "device/runtime/libraries/cufft/arguments.hpp"
#include "device/runtime/libraries/kernels.hpp"

extern const char kKernels[];

namespace warpbook::device::libraries::cufft {
namespace {

const Kernels& kernels() {
  static const auto& all = *new Kernels(kKernels);
  return all;
}

cufftResult result_of(cudaError_t error) {
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

/// Device memory that goes with what holds it.
class Memory {
 public:
  Memory() = default;
  Memory(Memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Memory() {
    if (data_) (void)cudaFree(data_);
  }
  bool allocate(std::size_t bytes) { return cudaMalloc(&data_, bytes) == cudaSuccess; }
  [[nodiscard]] void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

bool is_double(cufftType type) {
  return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}
bool from_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
bool to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }
bool is_type(cufftType type) {
  return from_real(type) || to_real(type) || type == CUFFT_C2C || type == CUFFT_Z2Z;
}
std::size_t complex_bytes(cufftType type) { return is_double(type) ? 16 : 8; }

/// What one side of a transform is in memory, as the plan says it.
struct Side {
  Layout layout;
  bool given = false;  ///< by the program; otherwise elements follow each other
};

struct Plan {
  bool made = false;
  cufftType type = CUFFT_C2C;
  Sizes sizes;
  Side in, out;
  cudaStream_t stream = nullptr;
  bool automatic = true;  ///< the library allocates the work area
  Memory area;
  void* work = nullptr;         ///< the area in use: two packed arrays
  std::map<int, Memory> roots;  ///< by a dimension's size
};

/// All plans, by the numbers that programs know them by.
struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, std::shared_ptr<Plan>> all;
  cufftHandle next = 1;
};
Plans& plans() {
  static auto& all = *new Plans;
  return all;
}

std::shared_ptr<Plan> find(cufftHandle handle) {
  const std::lock_guard lock(plans().mutex);
  const auto found = plans().all.find(handle);
  return found == plans().all.end() ? nullptr : found->second;
}

std::size_t work_bytes(const Plan& plan) {
  return 2 * static_cast<std::size_t>(plan.sizes.total) * complex_bytes(plan.type);
}

/// How many elements a row has: of a spectrum of real numbers a half, and of real numbers that are to become one in their own place,
/// as many as it takes.
int row_length(int n, bool half, bool padded) {
  if (half) return n / 2 + 1;
  return padded ? 2 * (n / 2 + 1) : n;
}

/// The layout of elements that follow each other.
Layout plain_layout(const Sizes& sizes, bool half, bool padded) {
  Layout layout;
  layout.batch = 1;
  for (int d = 0; d < kMostDimensions; ++d) {
    const bool last = d == kMostDimensions - 1;
    layout.embedded[d] = last ? row_length(sizes.n[d], half, padded) : sizes.n[d];
    layout.batch *= layout.embedded[d];
  }
  return layout;
}

Side side_of(int rank, const int* embed, int step, int batch) {
  Side side;
  if (!embed) return side;
  side.given = true;
  side.layout.step = step;
  side.layout.batch = batch;
  for (int d = 0; d < rank; ++d) side.layout.embedded[kMostDimensions - rank + d] = embed[d];
  return side;
}

template <class T>
cufftResult upload_roots(Memory& memory, int n) {
  constexpr double kTurn = 6.283185307179586;
  std::vector<T> roots;
  for (int k = 0; k < n; ++k) {
    const double angle = -kTurn * k / n;
    roots.push_back(static_cast<T>(std::cos(angle)));
    roots.push_back(static_cast<T>(std::sin(angle)));
  }
  const std::size_t bytes = roots.size() * sizeof(T);
  if (!memory.allocate(bytes)) return CUFFT_ALLOC_FAILED;
  return result_of(cudaMemcpy(memory.get(), roots.data(), bytes, cudaMemcpyHostToDevice));
}

cufftResult allocate(Plan& plan) {
  for (const int n : plan.sizes.n) {
    if (n == 1 || plan.roots.contains(n)) continue;
    Memory& roots = plan.roots[n];
    const cufftResult uploaded =
        is_double(plan.type) ? upload_roots<double>(roots, n) : upload_roots<float>(roots, n);
    if (uploaded != CUFFT_SUCCESS) return uploaded;
  }
  if (!plan.automatic) return CUFFT_SUCCESS;
  if (!plan.area.allocate(work_bytes(plan))) return CUFFT_ALLOC_FAILED;
  plan.work = plan.area.get();
  return CUFFT_SUCCESS;
}

cufftResult make(Plan& plan, int rank, const int* n, const Side& in, const Side& out,
                 cufftType type, int batch) {
  if (plan.made) return CUFFT_INVALID_PLAN;
  if (!is_type(type)) return CUFFT_INVALID_TYPE;
  if (rank < 1 || rank > kMostDimensions || !n) return CUFFT_INVALID_VALUE;
  if (batch < 1 || std::any_of(n, n + rank, [](int size) { return size < 1; }))
    return CUFFT_INVALID_SIZE;
  plan.type = type;
  for (int d = 0; d < rank; ++d) plan.sizes.n[kMostDimensions - rank + d] = n[d];
  for (const int size : plan.sizes.n) plan.sizes.each *= size;
  plan.sizes.total = plan.sizes.each * batch;
  plan.in = in;
  plan.out = out;
  if (const cufftResult result = allocate(plan)) return result;
  plan.made = true;
  return CUFFT_SUCCESS;
}

cufftResult make(cufftHandle handle, int rank, const int* n, const Side& in, const Side& out,
                 cufftType type, int batch, std::size_t* bytes) {
  const auto plan = find(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  const cufftResult result = make(*plan, rank, n, in, out, type, batch);
  if (result == CUFFT_SUCCESS && bytes) *bytes = work_bytes(*plan);
  return result;
}

/// Creates a plan and makes it; nothing is left of one that cannot be made.
cufftResult plan_for(cufftHandle* handle, int rank, const int* n, const Side& in, const Side& out,
                     cufftType type, int batch) {
  if (const cufftResult created = cufftCreate(handle)) return created;
  const cufftResult result = make(*handle, rank, n, in, out, type, batch, nullptr);
  if (result != CUFFT_SUCCESS) (void)cufftDestroy(*handle);
  return result;
}

// Transforms

/// The radices whose product a size is: those that have a kernel of their own first, then any.
std::vector<int> radices_of(int n) {
  std::vector<int> radices;
  for (const int radix : {4, 2, 3, 5, 7})
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  for (int radix = 11; n > 1; radix += 2) {
    if (static_cast<std::int64_t>(radix) * radix > n) radix = n;
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  }
  return radices;
}

/// "cufft_c_" and "cufft_z_"
std::string prefix_of(const Plan& plan) { return is_double(plan.type) ? "cufft_z_" : "cufft_c_"; }

cudaError_t move(const Plan& plan, const char* kernel, const Layout& layout, const void* from,
                 void* to) {
  return kernels().launch(prefix_of(plan) + kernel, dim3(blocks_for(plan.sizes.total)),
                          dim3(kBlock), plan.stream, plan.sizes, layout, from, to);
}

/// Transforms one dimension of the packed arrays from one buffer to the other and back, which change places each time.
cudaError_t transform(const Plan& plan, int dimension, bool inverse, void*& from, void*& to) {
  Pass pass;
  pass.n = plan.sizes.n[dimension];
  if (pass.n == 1) return cudaSuccess;
  pass.total = plan.sizes.total;
  pass.roots = plan.roots.at(pass.n).get();
  pass.inverse = inverse ? 1 : 0;
  for (int d = dimension + 1; d < kMostDimensions; ++d) pass.inner *= plan.sizes.n[d];
  for (const int radix : radices_of(pass.n)) {
    constexpr int kMostOwn = 7;
    const bool own = radix <= kMostOwn;
    pass.radix = radix;
    pass.from = from;
    pass.to = to;
    const auto threads = own ? pass.total / radix : pass.total;
    const std::string kernel =
        prefix_of(plan) + "radix_" + (own ? std::to_string(radix) : std::string("any"));
    if (const cudaError_t error =
            kernels().launch(kernel, dim3(blocks_for(threads)), dim3(kBlock), plan.stream, pass)) {
      return error;
    }
    pass.before *= radix;
    std::swap(from, to);
  }
  return cudaSuccess;
}

cufftResult execute(cufftHandle handle, cufftType type, const void* in, void* out, int direction) {
  const auto plan = find(handle);
  if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (!plan->work) return CUFFT_NO_WORKSPACE;
  const bool in_place = in == out;
  const Layout in_layout =
      plan->in.given ? plan->in.layout
                     : plain_layout(plan->sizes, to_real(type), in_place && from_real(type));
  const Layout out_layout =
      plan->out.given ? plan->out.layout
                      : plain_layout(plan->sizes, from_real(type), in_place && to_real(type));
  void* from = plan->work;
  void* to = static_cast<char*>(plan->work) + work_bytes(*plan) / 2;
  const char* const pack = from_real(type) ? "pack_real" : to_real(type) ? "pack_half" : "pack";
  const char* const unpack = to_real(type)     ? "unpack_real"
                             : from_real(type) ? "unpack_half"
                                               : "unpack";
  cudaError_t error = move(*plan, pack, in_layout, in, from);
  for (int d = kMostDimensions - 1; d >= 0 && error == cudaSuccess; --d)
    error = transform(*plan, d, direction == CUFFT_INVERSE, from, to);
  if (error == cudaSuccess) error = move(*plan, unpack, out_layout, from, out);
  return result_of(error);
}

}  // namespace
}  // namespace warpbook::device::libraries::cufft

using namespace warpbook::device::libraries::cufft;

cufftResult cufftCreate(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return CUFFT_SETUP_FAILED;
  const std::lock_guard lock(plans().mutex);
  *handle = plans().next++;
  plans().all[*handle] = std::make_shared<Plan>();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  const std::lock_guard lock(plans().mutex);
  return plans().all.erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftPlan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
  return plan_for(handle, 1, &nx, {}, {}, type, batch);
}

cufftResult cufftPlan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
  const int n[] = {nx, ny};
  return plan_for(handle, 2, n, {}, {}, type, 1);
}

cufftResult cufftPlan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
  const int n[] = {nx, ny, nz};
  return plan_for(handle, 3, n, {}, {}, type, 1);
}

cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride,
                          int idist, int* onembed, int ostride, int odist, cufftType type,
                          int batch) {
  if (rank < 1 || rank > kMostDimensions) return CUFFT_INVALID_VALUE;
  return plan_for(handle, rank, n, side_of(rank, inembed, istride, idist),
                  side_of(rank, onembed, ostride, odist), type, batch);
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch,
                            std::size_t* bytes) {
  return make(handle, 1, &nx, {}, {}, type, batch, bytes);
}

cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type,
                            std::size_t* bytes) {
  const int n[] = {nx, ny};
  return make(handle, 2, n, {}, {}, type, 1, bytes);
}

cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            std::size_t* bytes) {
  const int n[] = {nx, ny, nz};
  return make(handle, 3, n, {}, {}, type, 1, bytes);
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, std::size_t* bytes) {
  if (rank < 1 || rank > kMostDimensions) return CUFFT_INVALID_VALUE;
  return make(handle, rank, n, side_of(rank, inembed, istride, idist),
              side_of(rank, onembed, ostride, odist), type, batch, bytes);
}

cufftResult cufftGetSize(cufftHandle handle, std::size_t* bytes) {
  const auto plan = find(handle);
  if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
  if (!bytes) return CUFFT_INVALID_VALUE;
  *bytes = work_bytes(*plan);
  return CUFFT_SUCCESS;
}

/// Before the plan is made: whether the library allocates its work area, or waits for cufftSetWorkArea.
cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic) {
  const auto plan = find(handle);
  if (!plan || plan->made) return CUFFT_INVALID_PLAN;
  plan->automatic = automatic != 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void* area) {
  const auto plan = find(handle);
  if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
  plan->area = Memory();
  plan->work = area;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  const auto plan = find(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (!value) return CUFFT_INVALID_VALUE;
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_TYPE;
  *value = kVersion[type];
  return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* in, cufftComplex* out, int direction) {
  return execute(handle, CUFFT_C2C, in, out, direction);
}

cufftResult cufftExecR2C(cufftHandle handle, cufftReal* in, cufftComplex* out) {
  return execute(handle, CUFFT_R2C, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* in, cufftReal* out) {
  return execute(handle, CUFFT_C2R, in, out, CUFFT_INVERSE);
}

cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
  return execute(handle, CUFFT_Z2Z, in, out, direction);
}

cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return execute(handle, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return execute(handle, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
