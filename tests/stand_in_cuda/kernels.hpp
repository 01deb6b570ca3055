// The kernels that the stand-in driver knows by name, and what they work on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/stand_in_cuda/texels.hpp"

namespace stand_in {

struct Module;
/// Bytes of shared memory that a block may have: without opting in, and at most.
inline constexpr unsigned kFreeShared = 49152, kMostShared = 232448;

struct Function {
  std::string name;
  Module* module = nullptr;
  unsigned most_dynamic = kFreeShared;
};
struct Module {
  std::string ptx;
  std::map<std::string, Function> functions;
  std::map<std::string, std::vector<std::byte>> globals;
};

/// What kernels work on: memory by its first byte, and objects by their handles.
inline std::map<std::uint64_t, std::size_t> blocks;
inline std::map<std::uint64_t, TextureObject> textures;
inline std::map<std::uint64_t, Texels*> surfaces;

inline void run_self_test(std::uint32_t* out, unsigned blocks_of_it, bool wrong) {
  for (unsigned b = 0; b < blocks_of_it; ++b) {
    for (unsigned t = 0; t < 256; ++t) {
      const std::uint32_t from = b * 256 + 255 - t;
      out[b * 256 + t] = (from * 2654435761u ^ from) + (wrong && b == 1 && t == 3 ? 1 : 0);
    }
  }
}

/// Bytes of a variable, from its declaration: "weight[32]" says so; without brackets it is one word.
inline std::size_t bytes_of_variable(const std::string& ptx, const std::string& name) {
  const std::size_t at = ptx.find(name + "[");
  return at == std::string::npos ? 4 : std::stoul(ptx.substr(at + name.size() + 1));
}

inline std::vector<std::byte>& variable_of(Module& module, const std::string& name) {
  auto& memory = module.globals[name];
  if (memory.empty()) memory.resize(bytes_of_variable(module.ptx, name));
  return memory;
}

/// The parameters of a launch, one after the other as they are packed.
class Parameters {
 public:
  explicit Parameters(const char* bytes) : at_(bytes) {}
  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

 private:
  const char* at_;
};

/// The median of five samples, as the chapter memory-spaces takes clicks out of a recording.
inline float median_from(const float* x) {
  std::array<float, 5> window{};
  std::copy_n(x, window.size(), window.begin());
  std::ranges::sort(window);
  return window[2];
}

/// out[i] is the median of five samples from x[i] on.
inline void run_declick(Parameters parameters) {
  const auto* x = reinterpret_cast<const float*>(parameters.take<std::uint64_t>());
  auto* out = reinterpret_cast<float*>(parameters.take<std::uint64_t>());
  const auto n = parameters.take<std::int32_t>();
  for (std::int32_t i = 0; i < n; ++i) out[i] = median_from(x + i);
}

/// out[i] is the weighted mean of the eight medians from x[i] on.
inline void run_restore(Parameters parameters) {
  constexpr std::array kWeights{1, 3, 5, 7, 7, 5, 3, 1};
  const auto* x = reinterpret_cast<const float*>(parameters.take<std::uint64_t>());
  auto* out = reinterpret_cast<float*>(parameters.take<std::uint64_t>());
  const auto n = parameters.take<std::int32_t>();
  for (std::int32_t i = 0; i < n; ++i) {
    out[i] = 0;
    for (std::size_t k = 0; k < kWeights.size(); ++k)
      out[i] += static_cast<float>(kWeights[k]) / 32 * median_from(x + i + k);
  }
}

/// out[i] is the weighted mean of eight samples from x[i] on. They are at an address or in a texture, which repeats the last one;
/// the eight weights are in the module's variable or at an address.
inline void run_smooth(const Function& function, Parameters parameters) {
  constexpr std::size_t kWeights = 8;
  const auto first = parameters.take<std::uint64_t>(), second = parameters.take<std::uint64_t>();
  auto* out = reinterpret_cast<float*>(parameters.take<std::uint64_t>());
  const auto n = static_cast<std::size_t>(parameters.take<std::int32_t>());
  const auto* x = reinterpret_cast<const float*>(first);
  std::size_t last = blocks.contains(first) ? blocks.at(first) / sizeof(float) - 1 : 0;
  if (const auto texture = textures.find(first); texture != textures.end()) {
    x = reinterpret_cast<const float*>(texture->second.texels());
    last = n - 1;
  }
  const auto* c = reinterpret_cast<const float*>(second);
  if (function.module->ptx.find(" weight[") != std::string::npos)
    c = reinterpret_cast<const float*>(variable_of(*function.module, "weight").data());
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = 0;
    for (std::size_t k = 0; k < kWeights; ++k) out[i] += c[k] * x[std::min(i + k, last)];
  }
}

/// `wrong`: the self-test's kernel computes something else.
inline void run_by_name(const Function& function, unsigned grid, const char* packed, bool wrong) {
  Parameters parameters(packed);
  const std::string& name = function.name;
  if (name == "warpbook_self_test")
    run_self_test(reinterpret_cast<std::uint32_t*>(parameters.take<std::uint64_t>()), grid, wrong);
  if (name == "add_one") {
    auto* x = reinterpret_cast<std::uint32_t*>(parameters.take<std::uint64_t>());
    const auto count = parameters.take<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) ++x[i];
  }
  if (name == "say") {
    for (unsigned b = 0; b < grid; ++b) std::printf("hello from block %u\n", b);
  }
  if (name == "read_texels") {
    const auto& texture = textures.at(parameters.take<std::uint64_t>());
    auto* out = reinterpret_cast<std::byte*>(parameters.take<std::uint64_t>());
    std::memcpy(out, texture.texels(), parameters.take<std::uint32_t>());
  }
  if (name == "write_texels") {
    std::vector<std::byte>& texels = surfaces.at(parameters.take<std::uint64_t>())->bytes;
    for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<std::byte>(i);
  }
  if (name == "describe_texture") {
    const auto& texture = textures.at(parameters.take<std::uint64_t>());
    std::printf("%s\n", description_of(texture).c_str());
  }
  if (name.find("declick") != std::string::npos) run_declick(parameters);
  if (name.find("restore") != std::string::npos) run_restore(parameters);
  if (name.find("smooth") != std::string::npos) run_smooth(function, parameters);
}

}  // namespace stand_in
