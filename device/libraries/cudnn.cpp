// cuDNN behind the interface of libraries: opened for good, listed for a described GPU or the one that is present, run
// and timed on the latter.
#include <dlfcn.h>

#include <optional>

#include <fmt/format.h>

#include "device/libraries/cudnn_calls.hpp"
#include "device/libraries/cudnn_convolution.hpp"
#include "device/libraries/files.hpp"
#include "device/libraries/gpu_library.hpp"

namespace warpbook::device::libraries {
namespace {

// 91900 is 9.19.0; before version 9 there was a digit less for the minor.
constexpr std::size_t kDigitsFrom = 90000;

struct Version {
  std::size_t major, minor, patch;
};
Version version_of(std::size_t number) {
  if (number >= kDigitsFrom) return {number / 10000, number / 100 % 100, number % 100};
  return {number / 1000, number / 100 % 10, number % 100};
}

class Cudnn final : public GpuLibrary {
 public:
  static Expected<std::unique_ptr<Library>> open(const std::string& file);

  Expected<Offer> offer(const Problem& problem, const Target& target) override;
  Expected<std::string> describe_device() override;

 private:
  Expected<void> be_present() override;
  Expected<void> list(const Problem& problem, const Target& target);
  Expected<GpuKernel> kernel(const Problem& problem, std::uint32_t number,
                             const Algorithm& algorithm) override;

  CudnnApi api_;
  void* handle_ = nullptr;
  Problem listed_;
  Target listed_for_;
  std::optional<CudnnConvolution> convolution_;
};

Expected<std::unique_ptr<Library>> Cudnn::open(const std::string& file) {
  const auto damaged = [](std::string detail) {
    return failure(ErrorCode::library_damaged,
                   {{"library", "cuDNN"},
                    {"detail", std::move(detail)},
                    {"command", std::string(command_for(Kind::cudnn))}});
  };
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = ::dlerror();
    return damaged(text != nullptr ? text : file);
  }
  auto made = std::make_unique<Cudnn>();
  made->api_.GetVersion =
      reinterpret_cast<decltype(CudnnApi::GetVersion)>(::dlsym(library, "cudnnGetVersion"));
  if (made->api_.GetVersion == nullptr) return damaged(file + " has no cudnnGetVersion");
  const auto [major, minor, patch] = version_of(made->api_.GetVersion());
  made->identity_.version = fmt::format("{}.{}.{}", major, minor, patch);
  made->identity_.file = file;
  if (major != kCudnnMajor) {
    return failure(ErrorCode::library_version,
                   {{"library", "cuDNN"},
                    {"file", file},
                    {"found", made->identity_.version},
                    {"needed", std::to_string(kCudnnMajor)},
                    {"command", std::string(command_for(Kind::cudnn))}});
  }
#define WARPBOOK_CUDNN(result, name, parameters)                                                 \
  made->api_.name = reinterpret_cast<decltype(CudnnApi::name)>(::dlsym(library, "cudnn" #name)); \
  if (made->api_.name == nullptr) return damaged(file + " has no cudnn" #name);
#include "device/libraries/cudnn_api.inc"
#undef WARPBOOK_CUDNN
  const std::size_t cuda = made->api_.GetCudartVersion();
  made->identity_.cuda = fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10);
  return made;
}

Expected<void> Cudnn::be_present() {
  if (handle_ != nullptr) return {};
  auto gpu = Gpu::open();
  if (!gpu) return tl::unexpected(gpu.error());
  if (auto done = cudnn_checked(api_, api_.Create(&handle_), "no-start-gpu"); !done) {
    return done;
  }
  gpu_ = std::move(*gpu);
  return cudnn_checked(api_, api_.SetStream(handle_, gpu_->stream()), "no-stream");
}

Expected<void> Cudnn::list(const Problem& problem, const Target& target) {
  if (convolution_ && listed_ == problem && listed_for_ == target) return {};
  convolution_.reset();
  CudnnPlace place;
  if (target.description.empty()) {
    if (auto present = be_present(); !present) return present;
    place.handle = handle_;
  } else {
    place.description = target.description;
  }
  place.most = target.most;
  auto made = CudnnConvolution::make(api_, problem, place);
  if (!made) return tl::unexpected(made.error());
  convolution_ = std::move(*made);
  listed_ = problem;
  listed_for_ = target;
  return {};
}

Expected<Offer> Cudnn::offer(const Problem& problem, const Target& target) {
  if (auto good = check(problem); !good) return tl::unexpected(good.error());
  if (target.description.empty()) present_ = target;
  switch (problem.kind) {
    case ProblemKind::convolution:
      if (auto listed = list(problem, target); !listed) return tl::unexpected(listed.error());
      return convolution_->offer();
    case ProblemKind::softmax: return cudnn_softmax_offer();
    case ProblemKind::activation:
    case ProblemKind::pooling: return cudnn_legacy_offer(problem);
    case ProblemKind::matmul: break;
  }
  return cudnn_refused(Message{"phrase.why.by-cublas", {}, {}},
                       Message{"phrase.words.not-asked", {}, {}});
}

Expected<GpuKernel> Cudnn::kernel(const Problem& problem, std::uint32_t number,
                                  const Algorithm& algorithm) {
  if (problem.kind == ProblemKind::softmax) return cudnn_softmax(api_, handle_, problem, number);
  if (problem.kind != ProblemKind::convolution) return cudnn_legacy(api_, handle_, problem);
  GpuKernel kernel;
  kernel.workspace = algorithm.workspace;
  kernel.bind = [this, number](const std::vector<void*>& tensors, void* workspace) {
    return convolution_->bind(number, tensors, workspace);
  };
  return kernel;
}

Expected<std::string> Cudnn::describe_device() {
  if (auto present = be_present(); !present) return tl::unexpected(present.error());
  CudnnDescriptor device(api_, cudnn::kDeviceProperties);
  device.set_pointers(cudnn::kDeviceHandle, cudnn::kTypeHandle, {&handle_, 1});
  if (auto done = device.finish("does-not-describe"); !done) return tl::unexpected(done.error());
  return device.text(cudnn::kDeviceJson);
}

}  // namespace

Expected<std::unique_ptr<Library>> open_cudnn(const std::string& file) { return Cudnn::open(file); }

}  // namespace warpbook::device::libraries
