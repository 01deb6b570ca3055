#include "device/compiler/host_code.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "device/compiler/cuda_items.hpp"
#include "device/compiler/cuda_tokens.hpp"

namespace warpbook::device {
namespace {

constexpr std::array<std::string_view, 7> kDeviceWords{
    "__global__",  "__device__",        "__constant__",     "__shared__",
    "__managed__", "__grid_constant__", "__launch_bounds__"};

// Macros of headers that we do not read, such as _CCCL_DEVICE, tell by their names.
bool looks_like_a_device_macro(std::string_view word) {
  const bool capitals =
      std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return capitals && (word.find("DEVICE") != std::string_view::npos ||
                      word.find("GLOBAL") != std::string_view::npos ||
                      word.find("KERNEL") != std::string_view::npos);
}

// #pragma unroll, #pragma omp parallel for: a compiler warns of one that no statement follows.
bool is_of_a_statement(std::string_view directive) {
  const auto words = words_of(directive);
  constexpr std::array<std::string_view, 5> kPragmas{"unroll", "nounroll", "omp", "acc", "ivdep"};
  return words.size() > 1 && words[0] == "pragma" &&
         std::ranges::find(kPragmas, words[1]) != kPragmas.end();
}

bool has_host_code(const std::vector<CudaToken>& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text == "main" && tokens[i + 1].text == "(") return true;
    const bool launch =
        tokens[i].text == "<" && tokens[i + 1].text == "<" && tokens[i + 2].text == "<";
    if (launch && tokens[i + 2].text.data() == tokens[i].text.data() + 2) return true;
  }
  return false;
}

bool has_word(const std::vector<CudaToken>& tokens, const CudaItem& item, std::string_view word) {
  for (std::size_t i = item.begin; i < item.end; ++i) {
    if (tokens[i].text == word) return true;
  }
  return false;
}

/// A program, and what of it its device code needs.
class DeviceCode {
 public:
  explicit DeviceCode(std::string_view source)
      : source_(source), all_(cuda_tokens(source)), tokens_(with_matching_branches(all_)) {
    if (auto items = cuda_items(tokens_)) {
      items_ = std::move(*items);
      std::ranges::move(macro_items(tokens_), std::back_inserter(items_));
      find_device_words();
    }
  }

  /// What is reached from device code, or from `kernel` only, or from all kernels where that is empty.
  std::string reached(const std::vector<std::string>& also_used,
                      std::optional<std::string_view> kernel) {
    CudaNames used;
    for (const std::string& text : also_used) {
      for (const std::string_view word : words_of(text)) used.insert(word);
    }
    const auto is_used = [&](std::string_view name) { return used.contains(name); };
    for (bool grew = true; grew;) {
      grew = false;
      for (CudaItem& item : items_) {
        if (item.kept || is_refused(item, kernel.has_value())) continue;
        if (!is_root(item, kernel) && std::ranges::none_of(item.names, is_used)) continue;
        item.kept = grew = true;
        for_each_word(item, [&](std::string_view word) { used.insert(word); });
      }
    }
    std::string result(source_);
    for (const CudaItem& item : items_) {
      if (!item.kept && !item.macro) blank(result, item);
    }
    return result;
  }

  [[nodiscard]] bool has_kernel(std::string_view name) const {
    return std::ranges::any_of(items_, [&](const CudaItem& item) {
      return item.kernel && std::ranges::find(item.names, name) != item.names.end();
    });
  }

  [[nodiscard]] std::string without_host_members() const {
    std::string result(source_);
    for (const CudaItem& item : items_) {
      if (item.macro) continue;
      for (const CudaItem& member : members_of(tokens_, item)) {
        // A variable of a class is wherever its object is.
        if (is_function(tokens_, member) && is_of_the_host(tokens_, member, device_words_))
          blank(result, member);
      }
    }
    return result;
  }

 private:
  // A macro that brings __device__ along makes what it stands in device code.
  void find_device_words() {
    CudaNames macros;
    for (const CudaItem& item : items_) {
      if (item.macro) macros.insert(item.names.front());
    }
    CudaNames kernel_words{"__global__"};
    device_words_ = {kDeviceWords.begin(), kDeviceWords.end()};
    for (const CudaToken& token : tokens_) {
      if (token.kind != CudaToken::Kind::word || macros.contains(token.text) ||
          !looks_like_a_device_macro(token.text))
        continue;
      device_words_.insert(token.text);
      if (token.text.find("DEVICE") == std::string_view::npos) kernel_words.insert(token.text);
    }
    mark(&CudaItem::kernel, kernel_words);
    mark(&CudaItem::device, device_words_);
  }

  void mark(bool CudaItem::*what, CudaNames& words) {
    for (bool grew = true; grew;) {
      grew = false;
      for (CudaItem& item : items_) {
        if (item.*what) continue;
        for_each_word(
            item, [&](std::string_view word) { item.*what = item.*what || words.contains(word); });
        if (item.*what && item.macro) grew = words.insert(item.names.front()).second || grew;
      }
    }
  }

  [[nodiscard]] bool is_root(const CudaItem& item, std::optional<std::string_view> kernel) const {
    if (item.macro) return false;
    // An operator is called without being named. One of the host's, for its streams say, is not.
    if (item.names.empty()) {
      return item.device || !has_word(tokens_, item, "operator") ||
             has_word(tokens_, item, "constexpr");
    }
    if (!kernel) return item.device;
    return item.kernel &&
           (kernel->empty() || std::ranges::find(item.names, *kernel) != item.names.end());
  }

  [[nodiscard]] bool is_refused(const CudaItem& item, bool kernels_only) const {
    if (item.macro) return false;
    if (item.names.size() == 1 && item.names[0] == "main") return true;
    const bool says_host = has_word(tokens_, item, "__host__");
    if ((says_host || kernels_only) && is_of_the_host(tokens_, item, device_words_)) return true;
    return kernels_only && names_an_unknown_namespace(item);
  }

  // using namespace DirectX; namespace fs = std::filesystem;
  [[nodiscard]] bool names_an_unknown_namespace(const CudaItem& item) const {
    const std::string_view first = tokens_[item.begin].text;
    std::size_t at = item.begin;
    if (first == "using" && item.begin + 2 < item.end && tokens_[at + 1].text == "namespace") {
      at += 2;
    } else if (first == "namespace" && item.begin + 3 < item.end && tokens_[at + 2].text == "=") {
      at += 3;
    } else {
      return false;
    }
    for (const std::string_view known :
         {"std", "cooperative_groups", "nvcuda", "cub", "thrust", "cuda"}) {
      if (tokens_[at].text == known) return false;
    }
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      if (tokens_[i].text == "namespace" && tokens_[i + 1].text == tokens_[at].text &&
          tokens_[i + 2].text != ";" && i + 1 != at)
        return false;
    }
    return true;
  }

  template <class Visit>
  void for_each_word(const CudaItem& item, Visit&& visit) const {
    for (std::size_t i = item.begin; i < item.end; ++i) {
      if (tokens_[i].kind == CudaToken::Kind::word) visit(tokens_[i].text);
      if (!item.macro) continue;
      const auto words = words_of(tokens_[i].text);
      for (std::size_t w = 2; w < words.size(); ++w)
        visit(words[w]);  // behind "define" and the name
    }
  }

  // Leaves spaces, so that lines and columns stay. Directives stay as well, but for what was said of a statement.
  void blank(std::string& text, const CudaItem& item) const {
    for (std::size_t i = item.begin; i < item.end; ++i) {
      if (all_[i].kind == CudaToken::Kind::directive && !is_of_a_statement(all_[i].text)) continue;
      const auto at = static_cast<std::size_t>(all_[i].text.data() - source_.data());
      for (std::size_t c = at; c < at + all_[i].text.size(); ++c) {
        if (text[c] != '\n') text[c] = ' ';
      }
    }
  }

  std::string_view source_;
  std::vector<CudaToken> all_;
  std::vector<CudaToken> tokens_;  ///< those of all_, with matching branches
  std::vector<CudaItem> items_;
  CudaNames device_words_;
};

}  // namespace

std::string without_host_code(std::string_view source, const std::vector<std::string>& also_used) {
  if (!has_host_code(cuda_tokens(source))) return std::string(source);
  return device_code_of(source, also_used);
}

std::string device_code_of(std::string_view source, const std::vector<std::string>& also_used) {
  return DeviceCode(source).reached(also_used, std::nullopt);
}

std::string kernel_code_of(std::string_view source, std::string_view kernel,
                           const std::vector<std::string>& also_used) {
  const std::string members_gone = DeviceCode(source).without_host_members();
  DeviceCode code(members_gone);
  return code.reached(also_used, code.has_kernel(kernel) ? kernel : std::string_view());
}

}  // namespace warpbook::device
