#include "device/libraries/cudnn_convolution.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

namespace warpbook::device::libraries {
namespace {

// The tensors' names in a graph: x, w and y, or their gradients.
constexpr std::int64_t kX = 1, kW = 2, kY = 3;
constexpr std::int64_t kAlignment = 16;

constexpr std::array<const char*, cudnn::kNotes> kNumericalNotes{"TENSOR_CORE",
                                                                 "DOWN_CONVERT_INPUTS",
                                                                 "REDUCED_PRECISION_REDUCTION",
                                                                 "FFT",
                                                                 "NONDETERMINISTIC",
                                                                 "WINOGRAD",
                                                                 "WINOGRAD_TILE_4x4",
                                                                 "WINOGRAD_TILE_6x6",
                                                                 "WINOGRAD_TILE_13x13",
                                                                 "STRICT_NAN_PROP"};
constexpr std::array<const char*, cudnn::kBehaviorNotes> kBehaviorNotes{
    "RUNTIME_COMPILATION", "REQUIRES_FILTER_INT8x32_REORDER", "REQUIRES_BIAS_INT8x32_REORDER",
    "SUPPORTS_CUDA_GRAPH_NATIVE_API", "CUBLASLT_DEPENDENCY"};
constexpr int kRuntimeCompilation = 0;  // CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION

Expected<CudnnDescriptor> tensor(const CudnnApi& api, const Problem& problem, std::int64_t id,
                                 const Shape& shape) {
  const auto extents = shape.extents();
  const std::array<std::int64_t, 4> strides =
      problem.layout == Layout::nchw
          ? std::array{shape.c * shape.h * shape.w, shape.h * shape.w, shape.w, std::int64_t{1}}
          : std::array{shape.c * shape.h * shape.w, std::int64_t{1}, shape.w * shape.c, shape.c};
  CudnnDescriptor made(api, cudnn::kTensor);
  made.set_type(cudnn::kTensorType, cudnn::type_of(problem.precision));
  made.set_numbers(cudnn::kTensorExtents, extents).set_numbers(cudnn::kTensorStrides, strides);
  made.set_number(cudnn::kTensorId, id).set_number(cudnn::kTensorAlignment, kAlignment);
  if (auto done = made.finish("no-tensor"); !done) return tl::unexpected(done.error());
  return made;
}

/// Which attributes of which operation the parts of a convolution are.
struct OperationNames {
  int descriptor, convolution, x, w, y, alpha, beta;
};
constexpr OperationNames names_of(Pass pass) {
  using namespace cudnn;
  switch (pass) {
    case Pass::forward:
      return {kForwardOperation, kForwardConvolution, kForwardX,   kForwardW,
              kForwardY,         kForwardAlpha,       kForwardBeta};
    case Pass::data:
      return {kDataOperation, kDataConvolution, kDataDx, kDataW, kDataDy, kDataAlpha, kDataBeta};
    case Pass::filter:
      return {kFilterOperation, kFilterConvolution, kFilterX,   kFilterDw,
              kFilterDy,        kFilterAlpha,       kFilterBeta};
  }
  __builtin_unreachable();
}

// The knobs of a plan as its own JSON tells them, without the words that all share: "STAGES=4 TILE_SIZE=1".
std::string settings_in(const std::string& json) {
  constexpr std::string_view kOpen = "\"knobChoices\":{", kPrefix = "CUDNN_KNOB_TYPE_";
  const std::size_t open = json.find(kOpen);
  if (open == std::string::npos) return {};
  const std::size_t begin = open + kOpen.size(), end = json.find('}', begin);
  std::string settings = json.substr(begin, end == std::string::npos ? end : end - begin);
  for (std::size_t at; (at = settings.find(kPrefix)) != std::string::npos;)
    settings.erase(at, kPrefix.size());
  std::erase(settings, '"');
  std::ranges::replace(settings, ':', '=');
  std::ranges::replace(settings, ',', ' ');
  return settings;
}

}  // namespace

Expected<CudnnConvolution> CudnnConvolution::make(const CudnnApi& api, const Problem& problem,
                                                  const CudnnPlace& place) {
  CudnnConvolution made(api);
  if (auto described = made.describe(problem, place); !described)
    return tl::unexpected(described.error());
  made.ask_heuristic(cudnn::kHeuristicA, "heuristic");
  made.ask_heuristic(cudnn::kHeuristicFallback, "fallback");
  const std::int64_t engines = made.graph_.number(cudnn::kGraphEngines);
  for (std::int64_t index = 0; index < engines && !made.is_full(); ++index) made.ask_engine(index);
  if (made.plans_.empty() && made.left_out_ == 0) {
    return cudnn_refused({"phrase.why.no-engine", {}, {}},
                         made.last_words_.empty() ? Message{"phrase.words.none", {}, {}}
                                                  : Message::plain(made.last_words_));
  }
  return made;
}

Expected<void> CudnnConvolution::describe(const Problem& problem, const CudnnPlace& place) {
  handle_ = place.handle;
  most_ = place.most;
  strict_ = problem.precision == Precision::fp32;
  // The order of tensors_of.
  switch (problem.pass) {
    case Pass::forward: ids_ = {kX, kW, kY}; break;
    case Pass::data: ids_ = {kY, kW, kX}; break;
    case Pass::filter: ids_ = {kX, kY, kW}; break;
  }
  if (handle_ == nullptr) {
    device_ = CudnnDescriptor(*api_, cudnn::kDeviceProperties);
    device_.set_text(cudnn::kDeviceJson, place.description);
    if (auto done = device_.finish("no-gpu-description"); !done) return done;
  }
  const auto x = tensor(*api_, problem, kX, problem.image);
  if (!x) return tl::unexpected(x.error());
  // How many groups there are it takes from the channels that the filters have less than the image.
  const auto w = tensor(*api_, problem, kW, filters_of(problem));
  if (!w) return tl::unexpected(w.error());
  const auto y = tensor(*api_, problem, kY, result_of(problem));
  if (!y) return tl::unexpected(y.error());

  const auto pair = [](const Along& a) { return std::array{a.h, a.w}; };
  CudnnDescriptor convolution(*api_, cudnn::kConvolution);
  const int mode = cudnn::kCrossCorrelation;
  convolution.set_type(cudnn::kConvolutionType, cudnn::kFloat)
      .set(cudnn::kConvolutionMode, cudnn::kTypeConvolutionMode, 1, &mode)
      .set_number(cudnn::kConvolutionSpatial, 2)
      .set_numbers(cudnn::kConvolutionPadBefore, pair(problem.pad))
      .set_numbers(cudnn::kConvolutionPadAfter, pair(problem.pad))
      .set_numbers(cudnn::kConvolutionStrides, pair(problem.stride))
      .set_numbers(cudnn::kConvolutionDilations, pair(problem.dilation));
  if (auto done = convolution.finish("no-such-convolution"); !done) {
    return done;
  }
  const OperationNames names = names_of(problem.pass);
  CudnnDescriptor operation(*api_, names.descriptor);
  operation.set_descriptor(names.convolution, convolution)
      .set_descriptor(names.x, *x)
      .set_descriptor(names.w, *w)
      .set_descriptor(names.y, *y)
      .set_float(names.alpha, 1)
      .set_float(names.beta, 0);
  if (auto done = operation.finish("no-fit"); !done) return done;

  graph_ = CudnnDescriptor(*api_, cudnn::kGraph);
  if (handle_ != nullptr)
    graph_.set_pointers(cudnn::kGraphHandle, cudnn::kTypeHandle, {&handle_, 1});
  graph_.set_descriptor(cudnn::kGraphOperations, operation);
  return graph_.finish("no-graph");
}

void CudnnConvolution::ask_heuristic(int mode, const char* origin) {
  CudnnDescriptor heuristic(*api_, cudnn::kHeuristic);
  heuristic.set_descriptor(cudnn::kHeuristicGraph, graph_)
      .set(cudnn::kHeuristicModeWanted, cudnn::kTypeHeuristicMode, 1, &mode);
  if (handle_ == nullptr) heuristic.set_descriptor(cudnn::kHeuristicDevice, device_);
  if (auto done = heuristic.finish(""); !done) {
    last_words_ = done.error().arguments.back().value.text;
    return;
  }
  for (const CudnnDescriptor& configuration :
       heuristic.descriptors(cudnn::kHeuristicResults, cudnn::kConfiguration)) {
    const auto engines = configuration.descriptors(cudnn::kConfigurationEngine, cudnn::kEngine);
    if (engines.empty()) continue;
    take(configuration, engines.front(), engines.front().number(cudnn::kEngineIndex), origin);
  }
}

void CudnnConvolution::ask_engine(std::int64_t index) {
  if (std::ranges::find(seen_, index) != seen_.end()) return;
  CudnnDescriptor engine(*api_, cudnn::kEngine);
  engine.set_descriptor(cudnn::kEngineGraph, graph_).set_number(cudnn::kEngineIndex, index);
  if (handle_ == nullptr) engine.set_descriptor(cudnn::kEngineDevice, device_);
  if (auto done = engine.finish(""); !done) {
    last_words_ = done.error().arguments.back().value.text;
    ++refused_;
    return;
  }
  CudnnDescriptor configuration(*api_, cudnn::kConfiguration);
  configuration.set_descriptor(cudnn::kConfigurationEngine, engine);
  if (auto done = configuration.finish(""); !done) {
    last_words_ = done.error().arguments.back().value.text;
    ++refused_;
    return;
  }
  take(configuration, engine, index, "by number");
}

void CudnnConvolution::take(const CudnnDescriptor& configuration, const CudnnDescriptor& engine,
                            std::int64_t index, const char* origin) {
  if (is_full()) return;
  seen_.push_back(index);
  const std::vector<int> behavior = engine.enumerators(
      cudnn::kEngineBehaviorNotes, cudnn::kTypeBehaviorNote, cudnn::kBehaviorNotes);
  const bool compiles = std::ranges::find(behavior, kRuntimeCompilation) != behavior.end();
  // To finish a plan is to compile its engine.
  if (most_ != 0 && compiles) return;
  const std::vector<int> notes =
      engine.enumerators(cudnn::kEngineNumericalNotes, cudnn::kTypeNumericalNote, cudnn::kNotes);
  const bool lower = std::ranges::any_of(notes, [](int note) {
    return note == cudnn::kNoteTensorCore || note == cudnn::kNoteDownConvert;
  });
  CudnnPlan made;
  made.descriptor = CudnnDescriptor(*api_, cudnn::kPlan);
  made.descriptor.set_descriptor(cudnn::kPlanConfiguration, configuration);
  if (handle_ == nullptr) {
    made.descriptor.set_descriptor(cudnn::kPlanDevice, device_);
  } else {
    made.descriptor.set_pointers(cudnn::kPlanHandle, cudnn::kTypeHandle, {&handle_, 1});
  }
  if (auto done = made.descriptor.finish(""); !done) {
    last_words_ = done.error().arguments.back().value.text;
    ++refused_;
    return;
  }
  if (strict_ && lower) {
    ++left_out_;
    return;
  }
  Algorithm& algorithm = made.algorithm;
  algorithm.name = fmt::format("engine {}", index);
  algorithm.settings = settings_in(made.descriptor.text(cudnn::kPlanJson));
  algorithm.origin = origin;
  algorithm.workspace = static_cast<std::uint64_t>(made.descriptor.number(cudnn::kPlanWorkspace));
  for (const int note : notes) {
    if (note >= 0 && note < cudnn::kNotes)
      algorithm.notes.emplace_back(kNumericalNotes[static_cast<std::size_t>(note)]);
  }
  for (const int note : behavior) {
    if (note >= 0 && note < cudnn::kBehaviorNotes)
      algorithm.notes.emplace_back(kBehaviorNotes[static_cast<std::size_t>(note)]);
  }
  plans_.push_back(std::move(made));
}

Offer CudnnConvolution::offer() const {
  Offer offer;
  offer.left_out = left_out_;
  offer.refused = refused_;
  for (const CudnnPlan& plan : plans_) offer.algorithms.push_back(plan.algorithm);
  return offer;
}

Expected<std::function<Expected<void>()>> CudnnConvolution::bind(std::size_t plan,
                                                                 const std::vector<void*>& tensors,
                                                                 void* workspace) const {
  auto pack = std::make_shared<CudnnDescriptor>(*api_, cudnn::kVariantPack);
  pack->set_numbers(cudnn::kPackIds, ids_)
      .set_pointers(cudnn::kPackPointers, cudnn::kTypePointer, tensors)
      .set_pointers(cudnn::kPackWorkspace, cudnn::kTypePointer, {&workspace, 1});
  if (auto done = pack->finish("no-addresses"); !done) return tl::unexpected(done.error());
  return [this, plan, pack]() -> Expected<void> {
    return cudnn_checked(*api_,
                         api_->BackendExecute(handle_, plans_[plan].descriptor.raw(), pack->raw()),
                         "engine-fails");
  };
}

}  // namespace warpbook::device::libraries
