// Integer expressions over names: shapes, grids, bytes and flops as //@ blocks and operation.toml say them.
#include <algorithm>
#include <bit>
#include <optional>

#include "device/characters.hpp"
#include "lab/operation/operation.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;

constexpr int kDeepest = 64;  // parentheses within parentheses

using device::is_digit;
bool begins_name(char c) { return device::is_letter(c) || c == '_'; }

// A recursive-descent evaluator that stops at the first error.
class Evaluator {
 public:
  Evaluator(std::string_view text, const std::map<std::string, std::int64_t>& names)
      : text_(text), names_(names) {}

  device::Expected<std::int64_t> run() {
    const std::int64_t value = comparison();
    skip_spaces();
    if (why_.empty() && at_ < text_.size()) fail("after-end");
    if (!why_.empty()) {
      return device::failure(
          ErrorCode::bad_expression,
          {{"expression", std::string(text_)}, {"why", why_}, {"position", failed_at_ + 1}});
    }
    return value;
  }

 private:
  /// Keeps the first error, phrase.expression.NAME.
  std::int64_t fail(std::string_view name, device::MessageArguments arguments = {}) {
    if (why_.empty()) {
      why_ = {"phrase.expression." + std::string(name), std::move(arguments), {}};
      failed_at_ = at_;
    }
    return 0;
  }
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool failed() const { return !why_.empty(); }

  /// 1 where the comparison is true, else 0. A sum without a comparison is its own value.
  std::int64_t comparison() {
    const std::int64_t left = sum();
    skip_spaces();
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (failed() || !text_.substr(at_).starts_with(sign)) continue;
      at_ += sign.size();
      const std::int64_t right = sum();
      if (sign == "==") return left == right;
      if (sign == "!=") return left != right;
      if (sign == "<=") return left <= right;
      if (sign == ">=") return left >= right;
      return sign == "<" ? left < right : left > right;
    }
    return left;
  }

  std::int64_t sum() {
    std::int64_t value = product();
    while (!failed()) {
      std::int64_t result = 0;
      if (take('+')) {
        const std::int64_t right = product();
        if (__builtin_add_overflow(value, right, &result)) return fail("overflow");
      } else if (take('-')) {
        const std::int64_t right = product();
        if (__builtin_sub_overflow(value, right, &result)) return fail("overflow");
      } else {
        break;
      }
      value = result;
    }
    return value;
  }

  std::int64_t product() {
    std::int64_t value = factor();
    while (!failed()) {
      if (take('*')) {
        const std::int64_t right = factor();
        if (__builtin_mul_overflow(value, right, &value)) return fail("overflow");
      } else if (take('/')) {
        value = divide(value, factor());
      } else if (take('%')) {
        const std::int64_t right = factor();
        const std::int64_t quotient = divide(value, right);
        value = failed() ? 0 : value - quotient * right;
      } else {
        break;
      }
    }
    return value;
  }

  std::int64_t divide(std::int64_t left, std::int64_t right) {
    if (failed()) return 0;
    if (right == 0) return fail("divides-by-zero");
    if (left == INT64_MIN && right == -1) return fail("overflow");
    return left / right;
  }

  std::int64_t factor() {
    skip_spaces();
    if (failed()) return 0;
    if (++depth_ > kDeepest) return fail("deep");
    const std::int64_t value = primary();
    --depth_;
    return value;
  }

  std::int64_t primary() {
    if (take('-')) {
      const std::int64_t value = factor();
      return value == INT64_MIN ? fail("overflow") : -value;
    }
    if (take('(')) {
      const std::int64_t value = comparison();
      return take(')') ? value : fail("closing");
    }
    if (at_ >= text_.size()) return fail("ends");
    if (is_digit(text_[at_])) return number();
    if (begins_name(text_[at_])) return name();
    return fail("operand");
  }

  std::int64_t number() {
    std::int64_t value = 0;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, text_[at_] - '0', &value)) {
        return fail("overflow");
      }
      ++at_;
    }
    return value;
  }

  std::int64_t name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    if (word == "ceil_div" || word == "min" || word == "max") return call(word);
    if (word == "ceil_log2") return ceil_log2();
    const auto known = names_.find(word);
    if (known != names_.end()) return known->second;
    at_ = begin;
    std::vector<std::string> all;
    for (const auto& [each, value] : names_) all.push_back(each);
    return fail("no-name", {{"name", word}, {"known", listed(all)}});
  }

  /// The least k with 2^k >= the argument, which must be at least 1.
  std::int64_t ceil_log2() {
    if (!take('(')) return fail("opening", {{"function", "ceil_log2"}});
    const std::int64_t value = sum();
    if (!take(')')) return fail("closing");
    if (failed()) return 0;
    if (value < 1) return fail("log-range");
    return std::bit_width(static_cast<std::uint64_t>(value) - 1);
  }

  std::int64_t call(const std::string& function) {
    if (!take('(')) return fail("opening", {{"function", function}});
    const std::int64_t left = sum();
    if (!take(',')) return fail("two-arguments", {{"function", function}});
    const std::int64_t right = sum();
    if (!take(')')) return fail("closing");
    if (failed()) return 0;
    if (function == "min") return std::min(left, right);
    if (function == "max") return std::max(left, right);
    const std::int64_t quotient = divide(left, right);
    if (failed()) return 0;
    const bool above = quotient * right != left && (left < 0) == (right < 0);
    return quotient + (above ? 1 : 0);
  }

  std::string_view text_;
  const std::map<std::string, std::int64_t>& names_;
  std::size_t at_ = 0, failed_at_ = 0;
  int depth_ = 0;
  device::Message why_;
};

}  // namespace

device::Expected<std::int64_t> evaluate(std::string_view expression,
                                        const std::map<std::string, std::int64_t>& names) {
  return Evaluator(expression, names).run();
}

}  // namespace warpbook::lab
