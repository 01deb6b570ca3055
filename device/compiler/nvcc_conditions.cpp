#include "device/compiler/nvcc_conditions.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "device/compiler/cuda_tokens.hpp"

namespace warpbook::device {
namespace {

constexpr std::string_view kOfNvcc = "__NVCC__", kOfBoth = "__CUDACC__";

bool is_condition(const std::vector<std::string_view>& words) {
  constexpr std::array<std::string_view, 4> kConditions{"if", "ifdef", "ifndef", "elif"};
  return !words.empty() && std::ranges::find(kConditions, words[0]) != kConditions.end();
}

}  // namespace

std::string asked_as_of_nvcc(std::string_view source) {
  std::string result;
  const char* copied = source.data();
  for (const CudaToken& token : cuda_tokens(source)) {
    if (token.kind != CudaToken::Kind::directive) continue;
    const auto words = words_of(token.text);
    if (!is_condition(words)) continue;
    for (const std::string_view word : words) {
      if (word != kOfNvcc) continue;
      result.append(copied, word.data());
      result += kOfBoth;
      copied = word.data() + word.size();
    }
  }
  result.append(copied, source.data() + source.size());
  return result;
}

}  // namespace warpbook::device
