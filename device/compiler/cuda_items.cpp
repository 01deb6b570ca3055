#include "device/compiler/cuda_items.hpp"

#include <string>
#include <unordered_map>
#include <utility>

namespace warpbook::device {
namespace {

class Splitter {
 public:
  explicit Splitter(const std::vector<CudaToken>& tokens) : tokens_(tokens) {}

  /// Nothing where the braces do not match.
  std::optional<std::vector<CudaItem>> split() { return split(0, tokens_.size()); }

  [[nodiscard]] std::vector<CudaItem> members(const CudaItem& item) const {
    std::size_t open = item.begin;
    while (open < item.end && tokens_[open].text != "{") ++open;
    const auto close = open < item.end && is_class(item.begin) ? closing(open) : std::nullopt;
    if (!close) return {};
    auto members = Splitter(tokens_).split(open + 1, *close);
    if (!members) return {};
    for (CudaItem& member : *members) {
      while (member.begin + 2 < member.end && tokens_[member.begin + 1].text == ":" &&
             is_access(tokens_[member.begin].text)) {
        member.begin += 2;
      }
    }
    return std::move(*members);
  }

  // What comes before the body or the initialiser decides.
  [[nodiscard]] bool is_of_the_host(const CudaItem& item, const CudaNames& device_words) const {
    if (is_class(item.begin)) return false;
    bool parameters = false;
    for (std::size_t i = item.begin; i < item.end; ++i) {
      const CudaToken& token = tokens_[i];
      if (token.kind == CudaToken::Kind::directive || device_words.contains(token.text))
        return false;
      // texture<float, 2> image; is the device's, and the compiler says what became of those.
      const bool of_a_template = i + 1 < item.end && tokens_[i + 1].text == "<";
      if (of_a_template && (token.text == "texture" || token.text == "surface")) return false;
      if (names_a_class(i)) {  // enum E f(struct S *);
        ++i;
        continue;
      }
      for (const std::string_view other :
           {"typedef", "using", "namespace", "constexpr", "static_assert", "alignas", "__align__",
            "struct", "class", "union", "enum", "default", "delete", "asm"}) {
        if (token.text == other) return false;
      }
      if (token.text == "template") i = after_angles(i + 1) - 1;
      // float (*f)(float); holds a function and is none.
      if (token.text == "(" && i + 1 < item.end && tokens_[i + 1].text == "*") return false;
      if (token.text == "(") parameters = true;
      if (token.text == "const" && !parameters) return has_parameters(item.begin, item.end);
      const bool of_an_operator = is_in_operator_name(item.begin, i);
      if (token.text == "{" || (token.text == "=" && !of_an_operator && !parameters)) break;
    }
    return true;
  }

  [[nodiscard]] bool has_parameters(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens_[i].text == "template") i = after_angles(i + 1);
      if (i < end && tokens_[i].text == "[") i = closing(i).value_or(end);  // int a[(N + 1) / 2];
      if (i >= end) return false;
      if (tokens_[i].text == "=" && !is_in_operator_name(begin, i)) return false;
      if (tokens_[i].text == "(") return true;
      if (tokens_[i].text == "{") return false;
    }
    return false;
  }

  [[nodiscard]] std::size_t behind_angles(std::size_t at) const { return after_angles(at); }

 private:
  std::optional<std::vector<CudaItem>> split(std::size_t first, std::size_t last) {
    std::size_t begin = first;
    for (std::size_t i = first; i < last;) {
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

  static bool is_access(std::string_view word) {
    return word == "public" || word == "private" || word == "protected";
  }

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

  /// Whether a class or an enumeration is named at `i` that is defined elsewhere.
  [[nodiscard]] bool names_a_class(std::size_t i) const {
    const std::string_view text = tokens_[i].text;
    if (text != "struct" && text != "class" && text != "union" && text != "enum") return false;
    if (i + 2 >= tokens_.size() || tokens_[i + 1].kind != CudaToken::Kind::word ||
        tokens_[i + 1].text == "class" || tokens_[i + 1].text == "struct")
      return false;
    const CudaToken& behind = tokens_[i + 2];
    return behind.kind == CudaToken::Kind::word || behind.text == "*" || behind.text == "&" ||
           behind.text == "," || behind.text == ")";
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

  // operator=, operator+=, operator<<=
  [[nodiscard]] bool is_in_operator_name(std::size_t begin, std::size_t at) const {
    for (std::size_t back = 1; back <= 3 && at >= begin + back; ++back) {
      if (tokens_[at - back].text == "operator") return true;
      if (tokens_[at - back].kind != CudaToken::Kind::mark) return false;
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
    while (begin < end && (tokens_[begin].text == ";" || tokens_[begin].text.empty())) ++begin;
    if (begin == end) return;
    CudaItem item;
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
  std::vector<CudaItem> items_;
  int open_namespaces_ = 0;
};

/// Which branches of a text's conditions are dead, as far as the text itself tells: by the macros that it defines before
/// them, as a header that is included twice does.
class DeadBranches {
 public:
  explicit DeadBranches(std::vector<CudaToken>& tokens) : tokens_(tokens) {}

  /// Leaves empty tokens in their place.
  void leave_out() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == CudaToken::Kind::directive) {
        directive(i);
      } else if (is_dead()) {
        tokens_[i] = {CudaToken::Kind::mark, tokens_[i].text.substr(0, 0)};
      }
    }
  }

 private:
  /// What is known of a condition, and of a branch: nothing where it depends on what the text does not say.
  using Known = std::optional<bool>;
  struct Group {
    Known before;  ///< whether the text around it is alive
    Known taken;   ///< whether one of its branches so far is
    Known branch;
  };

  [[nodiscard]] Known alive() const { return open_.empty() ? Known(true) : open_.back().branch; }
  [[nodiscard]] bool is_dead() const { return alive() == Known(false); }

  static Known both(Known a, Known b) {
    if (a == Known(false) || b == Known(false)) return false;
    return a && b ? Known(true) : std::nullopt;
  }
  static Known negated(Known a) { return a ? Known(!*a) : std::nullopt; }

  void directive(std::size_t i) {
    const auto words = words_of(tokens_[i].text);
    if (words.empty()) return;
    if (words[0].starts_with("if")) {
      const Known holds = condition(words, i);
      open_.push_back({alive(), holds, both(alive(), holds)});
    } else if (words[0].starts_with("el") && !open_.empty()) {
      Group& group = open_.back();
      const Known holds = words[0] == "else" ? Known(true) : std::nullopt;
      group.branch = both(group.before, both(negated(group.taken), holds));
      if (group.taken == Known(false)) group.taken = holds;
    } else if (words[0] == "endif" && !open_.empty()) {
      open_.pop_back();
    } else if (words.size() > 1 && (words[0] == "define" || words[0] == "undef") && !is_dead()) {
      macros_[words[1]] = alive() ? Known(words[0] == "define") : std::nullopt;
    }
  }

  [[nodiscard]] Known condition(const std::vector<std::string_view>& words, std::size_t i) const {
    const std::string_view text = tokens_[i].text;
    if (words[0] == "if" && words.size() == 2 && (words[1] == "0" || words[1] == "1"))
      return words[1] == "1";
    const bool spelt_out = words[0] == "if" && words.size() == 3 && words[1] == "defined";
    if (!spelt_out && words.size() != 2) return std::nullopt;
    if (!spelt_out && words[0] != "ifdef" && words[0] != "ifndef") return std::nullopt;
    const bool asks_for_none = words[0] == "ifndef" || text.find('!') != std::string_view::npos;
    const std::string_view name = words.back();
    const auto found = macros_.find(name);
    const Known is_defined = found != macros_.end()             ? found->second
                             : name == "__cplusplus"            ? Known(true)
                             : asks_for_none && guards(name, i) ? Known(false)
                                                                : std::nullopt;
    return asks_for_none ? negated(is_defined) : is_defined;
  }

  /// #ifndef NAME with #define NAME at once behind it.
  [[nodiscard]] bool guards(std::string_view name, std::size_t i) const {
    if (i + 1 >= tokens_.size() || tokens_[i + 1].kind != CudaToken::Kind::directive) return false;
    const auto words = words_of(tokens_[i + 1].text);
    return words.size() == 2 && words[0] == "define" && words[1] == name;
  }

  std::vector<CudaToken>& tokens_;
  std::vector<Group> open_;
  std::unordered_map<std::string_view, Known> macros_;
};

}  // namespace

std::vector<CudaToken> with_matching_branches(std::vector<CudaToken> tokens) {
  DeadBranches(tokens).leave_out();
  struct Group {
    std::vector<std::size_t> branches;  // where each begins
  };
  const auto matches = [&](std::size_t begin, std::size_t end) {
    std::string wanted;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view text = tokens[i].text;
      if (text == "{") wanted += '}';
      if (text == "(") wanted += ')';
      if (text == "[") wanted += ']';
      if (text != "}" && text != ")" && text != "]") continue;
      if (!wanted.ends_with(text)) return false;
      wanted.pop_back();
    }
    return wanted.empty();
  };
  // Of conditions that are known one branch is left, whatever it opens or closes.
  const auto is_dead = [&](std::size_t begin, std::size_t end) {
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (tokens[i].kind == CudaToken::Kind::directive) continue;
      if (!tokens[i].text.empty()) return false;
      any = true;
    }
    return any;
  };
  std::vector<Group> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != CudaToken::Kind::directive) continue;
    const auto words = words_of(tokens[i].text);
    if (words.empty()) continue;
    if (words[0].starts_with("if")) open.push_back({{i}});
    if (open.empty()) continue;
    if (words[0].starts_with("el")) open.back().branches.push_back(i);
    if (words[0] != "endif") continue;
    std::vector<std::size_t> ends = open.back().branches;
    open.pop_back();
    ends.push_back(i);
    bool known = false;
    for (std::size_t branch = 0; branch + 1 < ends.size(); ++branch)
      known = known || is_dead(ends[branch], ends[branch + 1]);
    if (known) continue;
    for (std::size_t branch = 1; branch + 1 < ends.size(); ++branch) {
      if (matches(ends[branch], ends[branch + 1])) continue;
      for (std::size_t at = ends[branch]; at < ends[branch + 1]; ++at) {
        if (tokens[at].kind == CudaToken::Kind::mark)
          tokens[at].text = tokens[at].text.substr(0, 0);
      }
    }
  }
  return tokens;
}

std::optional<std::vector<CudaItem>> cuda_items(const std::vector<CudaToken>& tokens) {
  return Splitter(tokens).split();
}

std::vector<CudaItem> macro_items(const std::vector<CudaToken>& tokens) {
  std::vector<CudaItem> items;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != CudaToken::Kind::directive) continue;
    const auto words = words_of(tokens[i].text);
    if (words.size() < 2 || words[0] != "define") continue;
    CudaItem item;
    item.begin = i;
    item.end = i + 1;
    item.names = {words[1]};
    item.macro = true;
    items.push_back(std::move(item));
  }
  return items;
}

bool is_of_the_host(const std::vector<CudaToken>& tokens, const CudaItem& item,
                    const CudaNames& device_words) {
  return Splitter(tokens).is_of_the_host(item, device_words);
}

bool is_function(const std::vector<CudaToken>& tokens, const CudaItem& item) {
  return Splitter(tokens).has_parameters(item.begin, item.end);
}

std::vector<CudaItem> members_of(const std::vector<CudaToken>& tokens, const CudaItem& item) {
  return Splitter(tokens).members(item);
}

std::size_t after_angles(const std::vector<CudaToken>& tokens, std::size_t at) {
  return Splitter(tokens).behind_angles(at);
}

}  // namespace warpbook::device
