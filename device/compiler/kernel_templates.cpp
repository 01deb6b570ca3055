#include "device/compiler/kernel_templates.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "device/compiler/cuda_items.hpp"

namespace warpbook::device {
namespace {

constexpr std::array<std::string_view, 44> kTypes{
    "bool",        "char",    "short",   "int",     "long",    "float",   "double",
    "unsigned",    "signed",  "half",    "__half",  "half2",   "__half2", "__nv_bfloat16",
    "nv_bfloat16", "true",    "false",   "const",   "int2",    "int3",    "int4",
    "uint2",       "uint3",   "uint4",   "float2",  "float3",  "float4",  "double2",
    "double3",     "double4", "char4",   "uchar4",  "short2",  "ushort2", "size_t",
    "uint",        "int8_t",  "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
    "uint32_t",    "uint64_t"};

// Of `template <...> __global__ void name(`, where the angles hold parameters.
std::optional<std::string_view> template_kernel_at(const std::vector<CudaToken>& tokens,
                                                   std::size_t at) {
  if (tokens[at].text != "template" || at + 2 >= tokens.size() || tokens[at + 1].text != "<" ||
      tokens[at + 2].text == ">")
    return std::nullopt;
  bool kernel = false;
  std::string_view last;
  for (std::size_t i = after_angles(tokens, at + 1); i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "{" || text == ";") return std::nullopt;
    if (text == "__global__") kernel = true;
    if (text == "(") {
      if (last != "__launch_bounds__") return kernel ? std::optional(last) : std::nullopt;
      for (int depth = 1; depth != 0 && ++i < tokens.size();)
        depth += tokens[i].text == "(" ? 1 : tokens[i].text == ")" ? -1 : 0;
    } else if (tokens[i].kind == CudaToken::Kind::word) {
      last = text;
    }
  }
  return std::nullopt;
}

CudaNames names_of(const std::vector<CudaToken>& tokens) {
  CudaNames names(kTypes.begin(), kTypes.end());
  const auto add = [&](const std::vector<CudaItem>& items) {
    for (const CudaItem& item : items) names.insert(item.names.begin(), item.names.end());
  };
  if (const auto items = cuda_items(tokens)) add(*items);
  add(macro_items(tokens));
  return names;
}

bool is_known(std::string_view word, const CudaNames& names) {
  return (word[0] >= '0' && word[0] <= '9') || names.contains(word);
}

// The token that opens the angles closed at `close`; 0 where none does.
std::size_t opening(const std::vector<CudaToken>& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    const std::string_view text = tokens[i].text;
    if (text == ">") ++depth;
    if (text == "<" && --depth == 0) return i;
    if (text == ";" || text == "{" || text == "}") return 0;
  }
  return 0;
}

bool is_launch(const std::vector<CudaToken>& tokens, std::size_t at) {
  return at + 2 < tokens.size() && tokens[at].text == "<" && tokens[at + 1].text == "<" &&
         tokens[at + 2].text == "<" && tokens[at + 2].text.data() == tokens[at].text.data() + 2;
}

}  // namespace

std::vector<std::string> template_kernels(std::string_view source) {
  const std::vector<CudaToken> tokens = cuda_tokens(source);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (const auto name = template_kernel_at(tokens, i)) names.emplace_back(*name);
  }
  return names;
}

std::vector<std::string> launched_instances(std::string_view source) {
  const std::vector<CudaToken> tokens = cuda_tokens(source);
  const std::vector<std::string> templates = template_kernels(source);
  if (templates.empty()) return {};
  const CudaNames names = names_of(tokens);
  std::vector<std::string> instances;
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    if (!is_launch(tokens, at) || tokens[at - 1].text != ">") continue;
    const std::size_t open = opening(tokens, at - 1);
    if (open == 0 || std::ranges::find(templates, tokens[open - 1].text) == templates.end())
      continue;
    bool known = true;
    std::string instance(tokens[open - 1].text);
    for (std::size_t i = open - 1;
         i >= 3 && tokens[i - 1].text == ":" && tokens[i - 2].text == ":" &&
         tokens[i - 3].kind == CudaToken::Kind::word;
         i -= 3) {
      instance.insert(0, std::string(tokens[i - 3].text) + "::");
    }
    for (std::size_t i = open; i < at; ++i) {
      const bool word = tokens[i].kind == CudaToken::Kind::word;
      known = known && (!word || is_known(tokens[i].text, names));
      if (word && tokens[i - 1].kind == CudaToken::Kind::word) instance += ' ';
      instance += tokens[i].text;
      if (tokens[i].text == ",") instance += ' ';
    }
    if (known && std::ranges::find(instances, instance) == instances.end())
      instances.push_back(std::move(instance));
  }
  return instances;
}

}  // namespace warpbook::device
