#include "device/libraries/gpu_work.hpp"

#include <algorithm>
#include <cstring>

#include "device/half.hpp"

namespace warpbook::device::libraries {
namespace {

std::size_t bytes_of(Precision precision) {
  return precision == Precision::fp16 || precision == Precision::bf16 ? 2 : 4;
}

/// Calls `move(ours, theirs)` with the place of each element in our order and in the library's.
template <class Move>
void each_element(const Shape& s, const Problem& problem, Move move) {
  const bool last_is_c = problem.layout == Layout::nhwc && problem.kind != ProblemKind::matmul;
  std::size_t ours = 0;
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t c = 0; c < s.c; ++c) {
      for (std::int64_t h = 0; h < s.h; ++h) {
        for (std::int64_t w = 0; w < s.w; ++w, ++ours) {
          const std::int64_t theirs =
              last_is_c ? ((n * s.h + h) * s.w + w) * s.c + c : static_cast<std::int64_t>(ours);
          move(ours, static_cast<std::size_t>(theirs));
        }
      }
    }
  }
}

/// The tensors of one problem on the GPU.
struct Placed {
  std::vector<GpuMemory> memories;
  [[nodiscard]] std::vector<void*> pointers() const {
    std::vector<void*> all;
    for (const GpuMemory& memory : memories) all.push_back(memory.pointer());
    return all;
  }
};

Expected<Placed> place(Gpu& gpu, const Problem& problem,
                       const std::vector<std::vector<float>>& inputs) {
  const Tensors tensors = tensors_of(problem);
  Placed placed;
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    auto memory =
        gpu.upload(tensors.inputs[i].name, encode(inputs[i], tensors.inputs[i].shape, problem));
    if (!memory) return tl::unexpected(memory.error());
    placed.memories.push_back(std::move(*memory));
  }
  auto output =
      gpu.allocate(tensors.output.name, static_cast<std::size_t>(tensors.output.shape.count()) *
                                            bytes_of(problem.precision));
  if (!output) return tl::unexpected(output.error());
  if (auto done = gpu.spoil(*output); !done) return tl::unexpected(done.error());
  placed.memories.push_back(std::move(*output));
  return placed;
}

}  // namespace

std::vector<std::byte> encode(const std::vector<float>& numbers, const Shape& shape,
                              const Problem& problem) {
  const std::size_t width = bytes_of(problem.precision);
  std::vector<std::byte> bytes(numbers.size() * width);
  each_element(shape, problem, [&](std::size_t ours, std::size_t theirs) {
    const float value = numbers[ours];
    const std::uint16_t half = half_of_float(value), bfloat = bfloat_of_float(value);
    const void* from = &value;
    if (problem.precision == Precision::fp16) from = &half;
    if (problem.precision == Precision::bf16) from = &bfloat;
    std::memcpy(bytes.data() + theirs * width, from, width);
  });
  return bytes;
}

std::vector<float> decode(const std::vector<std::byte>& bytes, const Shape& shape,
                          const Problem& problem) {
  const std::size_t width = bytes_of(problem.precision);
  std::vector<float> numbers(bytes.size() / width);
  each_element(shape, problem, [&](std::size_t ours, std::size_t theirs) {
    const std::byte* from = bytes.data() + theirs * width;
    if (problem.precision == Precision::fp16) {
      std::uint16_t half = 0;
      std::memcpy(&half, from, width);
      numbers[ours] = float_of_half(half);
    } else if (problem.precision == Precision::bf16) {
      std::uint16_t bfloat = 0;
      std::memcpy(&bfloat, from, width);
      numbers[ours] = float_of_bfloat(bfloat);
    } else {
      std::memcpy(&numbers[ours], from, width);
    }
  });
  return numbers;
}

Expected<std::vector<float>> run_on_gpu(Gpu& gpu, const Problem& problem, const GpuKernel& kernel,
                                        const std::vector<std::vector<float>>& inputs) {
  auto placed = place(gpu, problem, inputs);
  if (!placed) return tl::unexpected(placed.error());
  auto workspace = gpu.allocate("workspace", kernel.workspace);
  if (!workspace) return tl::unexpected(workspace.error());
  if (auto done = gpu.spoil(*workspace); !done) return tl::unexpected(done.error());
  const auto call = kernel.bind(placed->pointers(), workspace->pointer());
  if (!call) return tl::unexpected(call.error());
  // Memory is filled in another stream than the library's.
  if (auto done = gpu.synchronise_all(); !done) return tl::unexpected(done.error());
  if (auto done = (*call)(); !done) return tl::unexpected(done.error());
  const GpuMemory& output = placed->memories.back();
  std::vector<std::byte> bytes(output.bytes());
  if (auto done = gpu.download(bytes, output); !done) return tl::unexpected(done.error());
  return decode(bytes, tensors_of(problem).output.shape, problem);
}

Expected<std::vector<Timing>> time_on_gpu(Gpu& gpu, const Problem& problem,
                                          const std::vector<GpuKernel>& kernels,
                                          const TimeLimits& limits) {
  constexpr std::size_t kMostCopies = 64;
  std::vector<std::vector<float>> inputs;
  const Tensors tensors = tensors_of(problem);
  std::int64_t elements = tensors.output.shape.count();
  for (const Tensor& input : tensors.inputs) {
    inputs.push_back(some_numbers(input.shape.count()));
    elements += input.shape.count();
  }
  std::uint64_t most_workspace = 0;
  for (const GpuKernel& kernel : kernels)
    most_workspace = std::max(most_workspace, kernel.workspace);
  auto workspace = gpu.allocate("workspace", most_workspace);
  if (!workspace) return tl::unexpected(workspace.error());

  const std::size_t set = static_cast<std::size_t>(elements) * bytes_of(problem.precision);
  const std::size_t copies = std::clamp<std::size_t>(3 * gpu.l2_bytes() / set + 1, 1, kMostCopies);
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < copies; ++i) {
    auto one = place(gpu, problem, inputs);
    if (!one && placed.empty()) return tl::unexpected(one.error());
    if (!one) break;  // memory is full, so fewer sets of inputs rotate
    placed.push_back(std::move(*one));
  }

  using Call = std::function<Expected<void>()>;
  std::vector<std::vector<Call>> calls;
  for (const GpuKernel& kernel : kernels) {
    std::vector<Call>& of_kernel = calls.emplace_back();
    for (const Placed& one : placed) {
      auto call = kernel.bind(one.pointers(), workspace->pointer());
      if (!call) return tl::unexpected(call.error());
      of_kernel.push_back(std::move(*call));
    }
  }
  if (auto done = gpu.synchronise_all(); !done) return tl::unexpected(done.error());
  std::vector<Sample> samples;
  for (const std::vector<Call>& of_kernel : calls) {
    samples.emplace_back([&gpu, &of_kernel, next = std::size_t{0}, known = 0.0]() mutable {
      const auto seconds =
          gpu.seconds([&] { return of_kernel[next++ % of_kernel.size()](); }, known);
      if (seconds) known = *seconds;
      return seconds;
    });
  }
  auto timings = measure(samples, limits);
  if (!timings) return timings;
  for (Timing& timing : *timings) {
    timing.hot = placed.size() * set < 3 * gpu.l2_bytes();
    timing.on = gpu.name();
  }
  return timings;
}

}  // namespace warpbook::device::libraries
