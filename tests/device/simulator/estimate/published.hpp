// The published timings (published.toml), and the estimates of kernels of ours that do the same, for the same GPU and size.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "device/compiler/compiler.hpp"
#include "device/device.hpp"
#include "device/platform.hpp"

namespace warpbook::device {

struct PublishedTiming {
  std::size_t source = 0;  ///< in the order of the file
  bool second = false;     ///< found after the first fit
  bool fits =
      false;  ///< its address is the first, third, fifth ... of those found so; else it judges
  std::string address, gpu, kernel;
  std::vector<std::int64_t> sizes;
  double seconds = 0;
  std::string doubt;  ///< why it neither fits nor judges; empty of nearly all
};

/// Operations or bytes that the unit of the source counts, for a kernel and its sizes.
inline double counted_work(const std::string& kernel, const std::vector<std::int64_t>& sizes) {
  const auto n = static_cast<double>(sizes[0]);
  if (kernel.starts_with("sgemm_")) return 2 * n * n * n;
  if (kernel == "stream_copy" || kernel == "stream_dot") return 16 * n;
  if (kernel == "stream_add" || kernel == "stream_triad") return 24 * n;
  if (kernel.starts_with("sum_atomic")) return 4 * n;
  throw std::runtime_error("no work is known for " + kernel);
}

inline std::vector<PublishedTiming> read_published() {
  const toml::table file = toml::parse_file(std::string(WARPBOOK_SOURCE_DIR) +
                                            "/tests/device/simulator/estimate/published.toml");
  std::vector<PublishedTiming> timings;
  std::size_t number = 0;
  std::vector<std::pair<const toml::table*, bool>> sources;
  for (const bool second : {false, true}) {
    for (const toml::node& node : *file[second ? "second" : "source"].as_array())
      sources.emplace_back(node.as_table(), second);
  }
  std::string last;
  bool fits = false, last_second = false;
  for (const auto& [table, second] : sources) {
    const toml::table& source = *table;
    const std::string address = *source["address"].value<std::string>();
    fits = second != last_second || fits == (address == last);
    last = address;
    last_second = second;
    for (const toml::node& row : *source["timings"].as_array()) {
      const toml::table& t = *row.as_table();
      PublishedTiming timing;
      timing.source = number;
      timing.second = second;
      timing.fits = fits;
      timing.doubt = t["doubt"].value_or(std::string());
      timing.address = address;
      timing.gpu = *source["gpu"].value<std::string>();
      timing.kernel = *t["kernel"].value<std::string>();
      for (const toml::node& size : *t["sizes"].as_array())
        timing.sizes.push_back(*size.value<std::int64_t>());
      const double value = *t["value"].value<double>();
      const std::string unit = *t["unit"].value<std::string>();
      if (unit == "ms" || unit == "us")
        timing.seconds = value * (unit == "ms" ? 1e-3 : 1e-6);
      else
        timing.seconds =
            counted_work(timing.kernel, timing.sizes) / (value * (unit == "TB/s" ? 1e12 : 1e9));
      timings.push_back(std::move(timing));
    }
    ++number;
  }
  return timings;
}

/// Runs our kernels on GPUs of the table, and compiles each file once per architecture.
class PublishedBench {
 public:
  /// A few dozen to a thousand blocks of each grid are run; only one in `part` of these where less suffices.
  explicit PublishedBench(std::uint64_t part = 1) : part_(part) {}

  Estimate estimate(const PublishedTiming& timing) {
    const Properties& gpu = *find_gpu(timing.gpu);
    const auto device = make_simulated_device(gpu);
    const Shape shape = shape_of(timing);
    auto module = device->load(program(shape.file, gpu.compute_capability));
    if (!module) throw std::runtime_error(module.error().english());
    Launch launch;
    launch.module = *module;
    launch.kernel = shape.kernel;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.dynamic_shared = shape.shared;
    for (const Parameter& p : shape.parameters) {
      if (p.bytes == 0) {
        launch.arguments.push_back(p.scalar);
        continue;
      }
      const auto address = device->allocate("array", ElementType::u8, p.bytes);
      if (!address) throw std::runtime_error(address.error().english());
      launch.arguments.push_back(Argument::pointer(*address));
    }
    launch.observe.initcheck = false;
    launch.observe.trace_accesses = 0;
    launch.budget.memory_bytes = 0;
    launch.estimate = {.wanted = true, .blocks = std::max<std::uint64_t>(1, shape.blocks / part_)};
    auto record = device->launch(std::move(launch)).wait();
    if (!record) throw std::runtime_error(record.error().english());
    if ((*record)->error) throw std::runtime_error((*record)->error->english());
    return (*record)->estimate.value();
  }

 private:
  struct Parameter {
    std::uint64_t bytes = 0;  ///< of an array; 0: a scalar
    Argument scalar;
  };
  struct Shape {
    std::string file, kernel;
    Dim3 grid, block;
    std::uint32_t shared = 0;
    std::vector<Parameter> parameters;
    std::uint64_t blocks = 64;  ///< that run
  };

  static Parameter array(std::uint64_t bytes) { return {bytes, {}}; }
  template <class T>
  static Parameter scalar(T value) {
    return {0, Argument::of(value)};
  }
  static std::uint32_t parts(std::int64_t n, std::int64_t each) {
    return static_cast<std::uint32_t>((n + each - 1) / each);
  }

  static Shape shape_of(const PublishedTiming& t) {
    const std::int64_t n = t.sizes[0];
    const auto words = static_cast<std::uint64_t>(n);
    const auto edge = static_cast<std::int32_t>(n);
    Shape s;
    s.kernel = t.kernel;
    const auto kernel_is = [&](const char* begin) { return t.kernel.starts_with(begin); };
    if (kernel_is("sgemm_")) {
      s.file = "published_sgemm.cu";
      const std::uint64_t bytes = words * words * 4;
      s.parameters = {scalar(edge), scalar(0.5f), array(bytes),
                      array(bytes), scalar(3.0f), array(bytes)};
      s.blocks = 64;
      if (kernel_is("sgemm_rows")) {
        s.grid = {parts(n, 32), parts(n, 32), 1};
        s.block = {32, 32, 1};
        s.blocks = 16;
      } else if (kernel_is("sgemm_columns") || kernel_is("sgemm_tiled")) {
        s.grid = {parts(n, 32), parts(n, 32), 1};
        s.block = {1024, 1, 1};
      } else if (kernel_is("sgemm_column_of_eight")) {
        s.grid = {parts(n, 64), parts(n, 64), 1};
        s.block = {512, 1, 1};
      } else {
        s.grid = {parts(n, 128), parts(n, 128), 1};
        s.block = {kernel_is("sgemm_warps") ? 128u : 256u, 1, 1};
      }
    } else if (kernel_is("gemm_columns")) {
      s.file = "published_sgemm.cu";
      const std::int64_t columns = t.sizes[1], depth = t.sizes[2];
      s.grid = {parts(columns, 16), parts(n, 16), 1};
      s.block = {16, 16, 1};
      s.parameters = {scalar(edge),
                      scalar(static_cast<std::int32_t>(columns)),
                      scalar(static_cast<std::int32_t>(depth)),
                      array(static_cast<std::uint64_t>(n * depth * 4)),
                      array(static_cast<std::uint64_t>(columns * depth * 4)),
                      array(static_cast<std::uint64_t>(n * columns * 4))};
      s.blocks = 32;
    } else if (kernel_is("filter_")) {
      s.file = "published_convolution.cu";
      const auto width = static_cast<std::int32_t>(t.sizes[1]);
      s.block = {16, 16, 1};
      const std::int64_t tile = kernel_is("filter_tiled") ? 16 - width + 1 : 16;
      s.grid = {parts(n, tile), parts(n, tile), 1};
      s.parameters = {array(words * words * 4)};
      if (kernel_is("filter_global")) s.parameters.push_back(array(11 * 11 * 4));
      s.parameters.push_back(array(words * words * 4));
      for (const std::int32_t value : {width, width, edge, edge, 1})
        s.parameters.push_back(scalar(value));
      if (kernel_is("filter_tiled")) s.shared = 16 * 16 * 4;
      s.blocks = 512;
    } else {
      s.file = "published_memory.cu";
      memory_shape(t, s);
    }
    return s;
  }

  static void memory_shape(const PublishedTiming& t, Shape& s) {
    const std::int64_t n = t.sizes[0];
    const auto words = static_cast<std::uint64_t>(n);
    const auto edge = static_cast<std::int32_t>(n);
    const auto kernel_is = [&](const char* begin) { return t.kernel.starts_with(begin); };
    s.blocks = 256;
    if (kernel_is("stream_")) {
      const bool three = !kernel_is("stream_copy");
      for (int k = 0; k < (three ? 3 : 2); ++k) s.parameters.push_back(array(words * 8));
      s.parameters.push_back(scalar(edge));
      s.block = {1024, 1, 1};
      s.grid = {t.sizes.size() > 1 ? static_cast<std::uint32_t>(t.sizes[1]) : parts(n, 1024), 1, 1};
      if (kernel_is("stream_dot")) s.blocks = 32;
    } else if (kernel_is("fours_")) {
      s.block = {256, 1, 1};
      s.grid = {parts(n, 1024), 1, 1};
      for (int k = 0; k < (t.kernel == "fours_add" ? 3 : 2); ++k)
        s.parameters.push_back(array(words * 4));
      s.parameters.push_back(scalar(static_cast<std::int32_t>(n / 4)));
      s.blocks = 256;
    } else if (kernel_is("add_")) {
      s.block = {32, 32, 1};
      s.grid = {parts(n, 32), parts(n, 32), 1};
      for (int k = 0; k < 3; ++k) s.parameters.push_back(array(words * words * 4));
      s.parameters.push_back(scalar(edge));
    } else if (kernel_is("transpose_")) {
      s.block = {16, 16, 1};
      s.grid = {parts(n, 16), parts(n, 16), 1};
      if (t.kernel.ends_with("_square")) {
        s.block = {32, 32, 1};
        s.grid = {parts(n, 32), parts(n, 32), 1};
        if (kernel_is("transpose_reads") || kernel_is("transpose_writes"))
          s.kernel = t.kernel.substr(0, t.kernel.rfind('_'));
      } else if (kernel_is("transpose_reads_flat") || kernel_is("transpose_writes_flat")) {
        s.kernel = t.kernel.substr(0, t.kernel.rfind('_'));
        s.block = {32, 8, 1};
        s.grid = {parts(n, 32), parts(n, 8), 1};
      } else if (!kernel_is("transpose_reads") && !kernel_is("transpose_writes")) {
        s.block = kernel_is("transpose_vectors") ? Dim3{8, 32, 1} : Dim3{32, 8, 1};
        s.grid = {parts(n, 32), parts(n, 32), 1};
      }
      s.parameters = {array(words * words * 4), array(words * words * 4), scalar(edge)};
      s.blocks = 1024;
    } else if (kernel_is("sum_atomic")) {
      const bool four = kernel_is("sum_atomic_of_four");
      const std::int64_t threads = four ? n / 4 : n;
      s.block = {256, 1, 1};
      s.grid = {parts(threads, 256), 1, 1};
      s.parameters = {array(4), array(words * 4), scalar(static_cast<std::int32_t>(threads))};
    } else if (kernel_is("sum_")) {
      const bool two = kernel_is("sum_two") || kernel_is("sum_last") || kernel_is("sum_unrolled");
      s.block = {512, 1, 1};
      s.grid = {parts(n, two ? 1024 : 512), 1, 1};
      s.shared = 512 * 4;
      s.parameters = {array(words * 4), scalar(static_cast<std::uint32_t>(n)), array(words)};
    } else if (kernel_is("softmax_")) {
      const bool thread = kernel_is("softmax_row_a_thread");
      const auto columns = static_cast<std::uint64_t>(t.sizes[1]);
      s.block = {256, 1, 1};
      s.grid = {thread ? parts(n, 256) : static_cast<std::uint32_t>(n), 1, 1};
      s.parameters = {array(words * columns * 4), array(words * columns * 4),
                      scalar(static_cast<std::int32_t>(columns))};
      if (thread) s.parameters.push_back(scalar(edge));
      s.blocks = thread ? 1 : 48;
    } else {
      throw std::runtime_error("no such kernel: " + t.kernel);
    }
  }

  std::shared_ptr<const Program> program(const std::string& file, int architecture) {
    auto& known = programs_[{file, architecture}];
    if (known) return known;
    auto source = read_file(
        std::string(WARPBOOK_SOURCE_DIR) + "/tests/device/simulator/estimate/" + file, 1u << 20);
    if (!source) throw std::runtime_error(source.error().english());
    CompileRequest request;
    request.name = file;
    request.source = std::move(*source);
    request.architecture = architecture;
    request.cubin = true;
    auto made = compiler_.compile(request);
    if (!made) throw std::runtime_error(made.error().error.english());
    return known = *made;
  }

  std::uint64_t part_;
  Compiler compiler_;
  std::map<std::pair<std::string, int>, std::shared_ptr<const Program>> programs_;
};

/// Kendall's tau-b of two rankings: 1 if they agree in every pair. Published values that differ by less than `tie` count as equal.
inline double kendall(const std::vector<double>& published, const std::vector<double>& estimated,
                      double tie = 0.0) {
  double agree = 0, pairs = 0;
  for (std::size_t i = 0; i < published.size(); ++i) {
    for (std::size_t j = i + 1; j < published.size(); ++j) {
      const double p = std::log(published[i] / published[j]),
                   e = std::log(estimated[i] / estimated[j]);
      if (std::abs(p) <= tie) continue;
      pairs += 1;
      agree += p * e > 0 ? 1 : p * e < 0 ? -1 : 0;
    }
  }
  return pairs == 0 ? 1 : agree / pairs;
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return n == 0 ? 0 : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace warpbook::device
