#include "device/compiler/host_code.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

#include "device/compiler/cuda_tokens.hpp"

namespace warpbook::device {
namespace {

using Names = std::unordered_set<std::string_view>;

/// A declaration or definition at namespace scope, or a macro.
struct Item {
  std::size_t begin = 0, end = 0;       ///< tokens
  std::vector<std::string_view> names;  ///< none: not known, and then the item stays
  bool device = false;                  ///< says so itself, directly or through a macro
  bool macro = false;
  bool kept = false;
};

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

class Splitter {
 public:
  explicit Splitter(const std::vector<CudaToken>& tokens) : tokens_(tokens) {}

  /// Nothing where the braces do not match.
  std::optional<std::vector<Item>> split() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens_.size();) {
      const std::string_view text = tokens_[i].text;
      if (tokens_[i].kind == CudaToken::Kind::directive) {
        // A directive between two declarations ends none and begins none.
        if (i == begin) ++begin;
        ++i;
      } else if (text == "{" && opens_a_namespace(begin, i)) {
        ++open_namespaces_;
        begin = ++i;
      } else if (text == "{" || text == "(" || text == "[") {
        const auto close = closing(i);
        if (!close) return std::nullopt;
        const bool ends = text == "{" && i > begin && is_function_body(begin, i);
        i = *close + 1;
        if (ends) {
          add(begin, i);
          begin = i;
        }
      } else if (text == "}") {
        if (open_namespaces_-- == 0) return std::nullopt;
        begin = ++i;
      } else if (text == ";") {
        add(begin, ++i);
        begin = i;
      } else {
        ++i;
      }
    }
    if (open_namespaces_ != 0) return std::nullopt;
    return std::move(items_);
  }

 private:
  [[nodiscard]] bool opens_a_namespace(std::size_t begin, std::size_t brace) const {
    for (std::size_t i = begin; i < brace; ++i) {
      if (tokens_[i].text == "namespace") return true;
      if (tokens_[i].text == "(" || tokens_[i].text == "=") return false;
    }
    // extern "C" {
    return brace >= begin + 2 && tokens_[brace - 2].text == "extern" &&
           tokens_[brace - 1].kind == CudaToken::Kind::literal;
  }

  // The closing bracket of the opening one at `open`, all kinds matched.
  [[nodiscard]] std::optional<std::size_t> closing(std::size_t open) const {
    std::string wanted;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text == "{") wanted += '}';
      if (text == "(") wanted += ')';
      if (text == "[") wanted += ']';
      if (text == "}" || text == ")" || text == "]") {
        if (wanted.empty() || wanted.back() != text[0]) return std::nullopt;
        wanted.pop_back();
        if (wanted.empty()) return i;
      }
    }
    return std::nullopt;
  }

  // A class, an enumeration or an initialiser goes on to its semicolon; a function ends with its
  // body, which begins at `brace`. In `S::S() : x{1} {}` the first brace belongs to a member.
  [[nodiscard]] bool is_function_body(std::size_t begin, std::size_t brace) const {
    if (is_class(begin) || !has_parameters(begin, brace)) return false;
    const bool behind_a_word = tokens_[brace - 1].kind == CudaToken::Kind::word;
    return !(behind_a_word && has_member_initialisers(begin, brace));
  }

  [[nodiscard]] bool has_member_initialisers(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin + 1; i + 1 < end; ++i) {
      if (tokens_[i].text == ":" && tokens_[i - 1].text == ")" && tokens_[i + 1].text != ":")
        return true;
    }
    return false;
  }

  [[nodiscard]] bool is_class(std::size_t begin) const {
    for (std::size_t i = begin; i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text == "template") {
        i = after_angles(i + 1) - 1;
        continue;
      }
      if (text == "struct" || text == "class" || text == "union" || text == "enum") {
        // struct P f() {...} returns one: then a parenthesis comes before the brace.
        while (i < tokens_.size() && tokens_[i].text != "{" && tokens_[i].text != "(" &&
               tokens_[i].text != ";") {
          if (tokens_[i].text == "alignas" || tokens_[i].text == "__align__" ||
              tokens_[i].text == "__attribute__") {
            if (const auto close = i + 1 < tokens_.size() ? closing(i + 1) : std::nullopt)
              i = *close;
          }
          ++i;
        }
        return i < tokens_.size() && tokens_[i].text == "{";
      }
      if (text == "(" || text == "{" || text == ";" || text == "=") return false;
    }
    return false;
  }

  [[nodiscard]] bool has_parameters(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens_[i].text == "=" && !(i > begin && tokens_[i - 1].text == "operator")) return false;
      if (tokens_[i].text == "(") return true;
      if (tokens_[i].text == "{") return false;
    }
    return false;
  }

  // Behind template <...>: angles nest, and shifts close two.
  [[nodiscard]] std::size_t after_angles(std::size_t at) const {
    if (at >= tokens_.size() || tokens_[at].text != "<") return at;
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      const std::string_view text = tokens_[at].text;
      if (text == "<") ++depth;
      if (text == ">" && --depth == 0) return at + 1;
      if (text == "(") {
        const auto close = closing(at);
        if (!close) return at;
        at = *close;
      }
      if (text == ";" || text == "{") return at;
    }
    return at;
  }

  void add(std::size_t begin, std::size_t end) {
    while (begin < end && tokens_[begin].text == ";") ++begin;
    if (begin == end) return;
    Item item;
    item.begin = begin;
    item.end = end;
    item.names = names_of(begin, end);
    items_.push_back(std::move(item));
  }

  // What is declared: words before parameters, an initialiser, an extent or a comma; of a class or
  // behind using its name; the members of an enumeration.
  [[nodiscard]] std::vector<std::string_view> names_of(std::size_t begin, std::size_t end) const {
    std::vector<std::string_view> names;
    std::string_view last;
    bool initialiser = false, enumeration = false;
    const bool function = tokens_[end - 1].text == "}";
    const auto declared = [&] {
      if (!initialiser && !last.empty()) names.push_back(last);
    };
    for (std::size_t i = begin; i < end; ++i) {
      const CudaToken& token = tokens_[i];
      const std::string_view text = token.text;
      if (token.kind == CudaToken::Kind::directive) continue;
      if (text == "operator" || text == "static_assert" || text == "namespace" || text == "asm")
        return {};
      if (text == "typedef") return names_of_typedef(begin, end);
      if (text == "template") {
        i = after_angles(i + 1) - 1;
      } else if (text == "alignas" || text == "__align__" || text == "__attribute__") {
        if (const auto close = i + 1 < end ? closing(i + 1) : std::nullopt) i = *close;
      } else if (text == "enum") {
        enumeration = true;
      } else if (token.kind == CudaToken::Kind::word) {
        last = text;
      } else if (text == "<" && !initialiser) {
        i = after_angles(i) - 1;  // the arguments of a template's name
      } else if (text == "(" || text == "[" || text == "{") {
        declared();
        if (function && text == "(") return names;
        const std::size_t close = closing(i).value_or(end - 1);
        for (std::size_t member = i + 1; enumeration && member < close; ++member) {
          if (tokens_[member].kind == CudaToken::Kind::word) names.push_back(tokens_[member].text);
        }
        i = close;
      } else if (text == "=") {
        declared();
        initialiser = true;
      } else if (text == "," || text == ";") {
        declared();
        initialiser = false;
      }
    }
    return names;
  }

  [[nodiscard]] std::vector<std::string_view> names_of_typedef(std::size_t begin,
                                                               std::size_t end) const {
    if (end >= begin + 3 && tokens_[end - 2].kind == CudaToken::Kind::word)
      return {tokens_[end - 2].text};
    return {};
  }

  const std::vector<CudaToken>& tokens_;
  std::vector<Item> items_;
  int open_namespaces_ = 0;
};

bool has_host_code(const std::vector<CudaToken>& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text == "main" && tokens[i + 1].text == "(") return true;
    const bool launch =
        tokens[i].text == "<" && tokens[i + 1].text == "<" && tokens[i + 2].text == "<";
    if (launch && tokens[i + 2].text.data() == tokens[i].text.data() + 2) return true;
  }
  return false;
}

/// What is reached from device code, and what is not.
class Reach {
 public:
  Reach(const std::vector<CudaToken>& tokens, std::vector<Item>& items)
      : tokens_(tokens), items_(items) {}

  // A macro that brings __device__ along makes what it stands in device code.
  void find_device_code() {
    Names device_words(kDeviceWords.begin(), kDeviceWords.end());
    for (bool grew = true; grew;) {
      grew = false;
      for (Item& item : items_) {
        if (item.device) continue;
        for_each_word(item, [&](std::string_view word) {
          item.device =
              item.device || device_words.count(word) != 0 || looks_like_a_device_macro(word);
        });
        if (item.device && item.macro)
          grew = device_words.insert(item.names.front()).second || grew;
      }
    }
  }

  void keep_what_is_used(const std::vector<std::string>& also_used) {
    Names used;
    for (const std::string& text : also_used) {
      for (const std::string_view word : words_of(text)) used.insert(word);
    }
    const auto is_used = [&](std::string_view name) { return used.count(name) != 0; };
    for (bool grew = true; grew;) {
      grew = false;
      for (Item& item : items_) {
        const bool root = (item.device && !item.macro) || item.names.empty();
        const bool reached = root || std::any_of(item.names.begin(), item.names.end(), is_used);
        if (item.kept || !reached || (item.names.size() == 1 && item.names[0] == "main")) continue;
        item.kept = grew = true;
        for_each_word(item, [&](std::string_view word) { used.insert(word); });
      }
    }
  }

 private:
  template <class Visit>
  void for_each_word(const Item& item, Visit&& visit) const {
    for (std::size_t i = item.begin; i < item.end; ++i) {
      if (tokens_[i].kind == CudaToken::Kind::word) visit(tokens_[i].text);
      if (!item.macro) continue;
      const auto words = words_of(tokens_[i].text);
      for (std::size_t w = 2; w < words.size(); ++w)
        visit(words[w]);  // behind "define" and the name
    }
  }

  const std::vector<CudaToken>& tokens_;
  std::vector<Item>& items_;
};

void add_macros(const std::vector<CudaToken>& tokens, std::vector<Item>& items) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != CudaToken::Kind::directive) continue;
    const auto words = words_of(tokens[i].text);
    if (words.size() < 2 || words[0] != "define") continue;
    Item item;
    item.begin = i;
    item.end = i + 1;
    item.names = {words[1]};
    item.macro = true;
    items.push_back(std::move(item));
  }
}

}  // namespace

std::string without_host_code(std::string_view source, const std::vector<std::string>& also_used) {
  std::string result(source);
  const std::vector<CudaToken> tokens = cuda_tokens(source);
  if (!has_host_code(tokens)) return result;
  auto items = Splitter(tokens).split();
  if (!items) return result;
  add_macros(tokens, *items);
  Reach reach(tokens, *items);
  reach.find_device_code();
  reach.keep_what_is_used(also_used);

  for (const Item& item : *items) {
    if (item.kept || item.macro) continue;
    for (std::size_t i = item.begin; i < item.end; ++i) {
      if (tokens[i].kind == CudaToken::Kind::directive) continue;
      const auto at = static_cast<std::size_t>(tokens[i].text.data() - source.data());
      for (std::size_t c = at; c < at + tokens[i].text.size(); ++c) {
        if (result[c] != '\n') result[c] = ' ';
      }
    }
  }
  return result;
}

}  // namespace warpbook::device
