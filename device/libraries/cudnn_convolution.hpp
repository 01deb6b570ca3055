// cuDNN's convolutions through its graph API: every engine that takes one, as a finished plan.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "device/libraries/cudnn_descriptor.hpp"
#include "device/libraries/library.hpp"

namespace warpbook::device::libraries {

/// Who the plans are for: a GPU that is described, or the one that the handle is for.
struct CudnnPlace {
  void* handle = nullptr;
  std::string description;  ///< used where there is no handle
  std::uint32_t most = 0;   ///< Target::most
};

struct CudnnPlan {
  CudnnDescriptor descriptor;
  Algorithm algorithm;
};

/// One convolution, described to cuDNN, and its plans.
class CudnnConvolution {
 public:
  /// Asks heuristic A, then the fallback, then each engine by its number with cuDNN's own settings; a plan that does not
  /// finish is left out, and so is one of lower precision than FP32 where that was asked for. Errors: library_refused.
  static Expected<CudnnConvolution> make(const CudnnApi& api, const Problem& problem,
                                         const CudnnPlace& place);

  [[nodiscard]] Offer offer() const;
  /// A call that runs a plan on the tensors of tensors_of, inputs first.
  [[nodiscard]] Expected<std::function<Expected<void>()>> bind(std::size_t plan,
                                                               const std::vector<void*>& tensors,
                                                               void* workspace) const;

 private:
  explicit CudnnConvolution(const CudnnApi& api) : api_(&api) {}
  Expected<void> describe(const Problem& problem, const CudnnPlace& place);
  void ask_heuristic(int mode, const char* origin);
  void ask_engine(std::int64_t index);
  void take(const CudnnDescriptor& configuration, const CudnnDescriptor& engine, std::int64_t index,
            const char* origin);

  /// Whether as many plans as are wanted are there.
  [[nodiscard]] bool is_full() const { return most_ != 0 && plans_.size() >= most_; }

  const CudnnApi* api_;
  void* handle_ = nullptr;
  std::uint32_t most_ = 0;
  bool strict_ = false;
  std::array<std::int64_t, 3> ids_{};  // of the tensors, in the order of tensors_of
  CudnnDescriptor device_;
  CudnnDescriptor graph_;
  std::vector<CudnnPlan> plans_;
  std::vector<std::int64_t> seen_;
  std::uint32_t left_out_ = 0, refused_ = 0;
  std::string last_words_;
};

}  // namespace warpbook::device::libraries
