// cuBLAS behind the interface of libraries: one product of matrices, in FP32 proper or with TF32 allowed, or in 16 bits.
#include "device/libraries/cublas_api.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

#include "device/compiler/toolkit.hpp"
#include "device/libraries/gpu_library.hpp"

namespace warpbook::device::libraries {
namespace {

constexpr float kCublasOne = 1, kCublasZero = 0;

class Cublas final : public GpuLibrary {
 public:
  static Expected<std::unique_ptr<Library>> open(const std::string& file);

  Expected<Offer> offer(const Problem& problem, const Target& target) override;

 private:
  Expected<void> be_present() override;
  Expected<GpuKernel> kernel(const Problem& problem, std::uint32_t number,
                             const Algorithm& algorithm) override;
  [[nodiscard]] Expected<void> checked(int status, Message why) const;

  CublasApi api_;
  void* handle_ = nullptr;
};

tl::unexpected<Error> refused(Message why, Message words) {
  return failure(ErrorCode::library_refused,
                 {{"library", "cuBLAS"}, {"why", std::move(why)}, {"words", std::move(words)}});
}

Expected<std::unique_ptr<Library>> Cublas::open(const std::string& file) {
  const std::string command(command_for(Kind::cublas));
  const auto damaged = [&](std::string detail) {
    return failure(ErrorCode::library_damaged,
                   {{"library", "cuBLAS"}, {"detail", std::move(detail)}, {"command", command}});
  };
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = ::dlerror();
    return damaged(text != nullptr ? text : file);
  }
  auto made = std::make_unique<Cublas>();
#define WARPBOOK_CUBLAS(result, name, symbol, parameters)                                   \
  made->api_.name = reinterpret_cast<decltype(CublasApi::name)>(::dlsym(library, #symbol)); \
  if (made->api_.name == nullptr) return damaged(file + " has no " #symbol);
#include "device/libraries/cublas_api.inc"
#undef WARPBOOK_CUBLAS
  int major = 0, minor = 0, patch = 0;
  made->api_.GetProperty(cublas::kMajorVersion, &major);
  made->api_.GetProperty(cublas::kMinorVersion, &minor);
  made->api_.GetProperty(cublas::kPatchLevel, &patch);
  // Its version is that of the CUDA it belongs to.
  made->identity_ = {fmt::format("{}.{}.{}", major, minor, patch), file,
                     fmt::format("{}.{}", major, minor)};
  if (major != kCudaMajor) {
    return failure(ErrorCode::library_version, {{"library", "cuBLAS"},
                                                {"file", file},
                                                {"found", made->identity_.version},
                                                {"needed", std::to_string(kCudaMajor)},
                                                {"command", command}});
  }
  return made;
}

Expected<void> Cublas::checked(int status, Message why) const {
  if (status == cublas::kSuccess) return {};
  return refused(std::move(why), Message::plain(fmt::format("{}: {}", api_.GetStatusName(status),
                                                            api_.GetStatusString(status))));
}

Expected<void> Cublas::be_present() {
  if (handle_ != nullptr) return {};
  auto gpu = Gpu::open();
  if (!gpu) return tl::unexpected(gpu.error());
  if (auto done = checked(api_.Create(&handle_), Message{"phrase.why.no-start-gpu", {}, {}}); !done)
    return done;
  gpu_ = std::move(*gpu);
  return checked(api_.SetStream(handle_, gpu_->stream()), Message{"phrase.why.no-stream", {}, {}});
}

// One call: which kernel it takes, cuBLAS decides for itself and does not tell. Which GPU is meant makes no difference.
Expected<Offer> Cublas::offer(const Problem& problem, const Target&) {
  if (auto good = check(problem); !good) return tl::unexpected(good.error());
  if (problem.kind != ProblemKind::matmul)
    return refused(Message{"phrase.why.only-matrices", {}, {}},
                   Message{"phrase.words.not-asked", {}, {}});
  for (const std::int64_t each : {problem.m, problem.n, problem.k}) {
    if (each > INT32_MAX)
      return refused(Message{"phrase.why.extents-32", {}, {}},
                     Message{"phrase.words.not-asked", {}, {}});
  }
  Offer offer;
  Algorithm& algorithm = offer.algorithms.emplace_back();
  algorithm.name = "cublasGemmEx";
  if (problem.precision == Precision::tf32) {
    algorithm.settings = "CUBLAS_COMPUTE_32F_FAST_TF32";
    algorithm.notes = {"TENSOR_CORE", "DOWN_CONVERT_INPUTS"};
  } else {
    algorithm.settings = "CUBLAS_COMPUTE_32F";
  }
  return offer;
}

Expected<GpuKernel> Cublas::kernel(const Problem& problem, std::uint32_t, const Algorithm&) {
  const int type = problem.precision == Precision::fp16   ? cublas::kReal16
                   : problem.precision == Precision::bf16 ? cublas::kReal16Brain
                                                          : cublas::kReal32;
  const int compute =
      problem.precision == Precision::tf32 ? cublas::kCompute32Tf32 : cublas::kCompute32;
  const int m = static_cast<int>(problem.m), n = static_cast<int>(problem.n),
            k = static_cast<int>(problem.k);
  GpuKernel kernel;
  kernel.bind = [this, type, compute, m, n, k](const std::vector<void*>& t,
                                               void*) -> Expected<std::function<Expected<void>()>> {
    // It counts by columns, and ours are rows: C = A B by rows is C' = B' A' by columns.
    return [this, type, compute, m, n, k, t]() -> Expected<void> {
      return checked(api_.GemmEx(handle_, cublas::kNotTransposed, cublas::kNotTransposed, n, m, k,
                                 &kCublasOne, t[1], type, n, t[0], type, k, &kCublasZero, t[2],
                                 type, n, compute, cublas::kDefaultAlgorithm),
                     Message{"phrase.why.product-fails", {}, {}});
    };
  };
  return kernel;
}

}  // namespace

Expected<std::unique_ptr<Library>> open_cublas(const std::string& file) {
  return Cublas::open(file);
}

}  // namespace warpbook::device::libraries
