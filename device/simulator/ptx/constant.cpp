#include "device/simulator/ptx/constant.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace warpbook::device::ptx {
namespace {

using ConstantKind = Constant::Kind;
constexpr int kMaxDepth = 64;

Constant truth(bool value) { return {ConstantKind::signed_integer, value ? 1u : 0u}; }
Constant real(double value) { return {ConstantKind::real, std::bit_cast<std::uint64_t>(value)}; }
double real_of(const Constant& c) { return std::bit_cast<double>(c.bits); }

/// 0 to 15; 16 for a character that is not a hexadecimal digit.
unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') {
    return static_cast<unsigned>(c - '0');
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 16;
}

/// The bits of the double of the same value; a NaN keeps its payload, which a conversion by the
/// host would quiet.
std::uint64_t widen(std::uint32_t single) {
  const std::uint64_t sign = std::uint64_t{single >> 31} << 63;
  if ((single & 0x7f800000u) == 0x7f800000u) {
    return sign | std::uint64_t{0x7ff} << 52 | std::uint64_t{single & 0x7fffffu} << 29;
  }
  return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(single)));
}

/// Binary operators from the loosest to the tightest. Operators of one level associate to the left.
struct Operator {
  std::string_view text;
  int level;
};
constexpr Operator kOperators[] = {
    {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"<", 7}, {">", 7}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

class Evaluator {
 public:
  explicit Evaluator(Scanner& scanner) : scanner_(scanner) {}

  Constant conditional() {
    const Constant condition = binary(1);
    if (scanner_.peek() != '?') {
      return condition;
    }
    if (!enter()) {
      return {};
    }
    if (condition.is_real()) {
      scanner_.fail(syntax("condition"));
    }
    scanner_.take(1);
    Constant yes = conditional();
    scanner_.expect(':', "between-the-values-of");
    Constant no = conditional();
    if (yes.is_real() != no.is_real()) {
      scanner_.fail(syntax("mixed-values"));
    }
    convert(yes, no);
    --depth_;
    return condition.bits != 0 ? yes : no;
  }

  Constant literal() {
    if (!is_digit(scanner_.peek()) && scanner_.peek() != '.') {
      if (warp_size_here(scanner_)) {
        scanner_.name();
        return {ConstantKind::signed_integer, 32};
      }
      scanner_.fail_expected(what_message("a-constant"));
      return {};
    }
    const char* begin = scanner_.text().data() + scanner_.offset();
    const char second = begin[0] == '0' ? static_cast<char>(begin[1] | 0x20) : '\0';
    if (second == 'f' || second == 'd') {
      return exact_real(begin, second == 'f' ? 8 : 16);
    }
    if (second == 'x' || second == 'b') {
      return integer(begin, begin + 2, second == 'x' ? 16 : 2);
    }
    const char* end = begin;
    while (is_digit(*end)) {
      ++end;
    }
    if (*end == '.' || *end == 'e' || *end == 'E') {
      return decimal_real(begin);
    }
    return integer(begin, begin, *begin == '0' ? 8 : 10);
  }

 private:
  bool enter() {
    if (++depth_ > kMaxDepth) {
      scanner_.fail(syntax("deep-expression", {{"most", kMaxDepth}}));
      return false;
    }
    return true;
  }

  const Operator* operator_here() const {
    for (const Operator& op : kOperators) {
      if (scanner_.peek() == op.text[0] &&
          (op.text.size() == 1 || scanner_.peek_next() == op.text[1])) {
        // "%" before a name is the name's own; a name cannot follow a constant, so it ends the
        // expression
        return op.text == "%" && begins_name(scanner_.peek_next()) ? nullptr : &op;
      }
    }
    return nullptr;
  }

  Constant binary(int level) {
    Constant left = unary();
    for (const Operator* op = operator_here(); op != nullptr && op->level >= level;
         op = operator_here()) {
      const std::uint32_t place = scanner_.offset();
      scanner_.take(op->text.size());
      if (!enter()) {
        return {};
      }
      const Constant right = binary(op->level + 1);
      --depth_;
      left = apply(op->text, left, right, place);
    }
    return left;
  }

  Constant unary() {
    if (!enter()) {
      return {};
    }
    const char c = scanner_.peek();
    Constant result;
    if (c == '-' || c == '+' || c == '!' || c == '~') {
      const std::uint32_t place = scanner_.offset();
      scanner_.take(1);
      result = unary();
      if (result.is_real() && (c == '!' || c == '~')) {
        scanner_.fail_at(place, syntax("integer-operator", {{"operator", std::string(1, c)}}));
      } else if (c == '-') {
        result.bits = result.is_real() ? result.bits ^ std::uint64_t{1} << 63 : 0 - result.bits;
      } else if (c == '!') {
        result = truth(result.bits == 0);
      } else if (c == '~') {
        result = {ConstantKind::unsigned_integer, ~result.bits};
      }
    } else if (c == '(') {
      scanner_.take(1);
      if (scanner_.peek() == '.' && begins_name(scanner_.peek_next())) {
        result = cast();
      } else {
        result = conditional();
        scanner_.expect(')', "after-the-expression-in-parentheses");
      }
    } else {
      result = literal();
    }
    --depth_;
    return result;
  }

  /// Behind the parenthesis of (.s64) or (.u64).
  Constant cast() {
    const std::uint32_t place = scanner_.offset();
    const std::string_view type = scanner_.dotted();
    if (type != "s64" && type != "u64") {
      scanner_.fail_at(place, syntax("cast-type"));
    }
    scanner_.expect(')', "after-the-type-of-a-cast");
    Constant result = unary();
    if (result.is_real()) {
      scanner_.fail_at(place, syntax("cast-real"));
    }
    result.kind = type == "s64" ? ConstantKind::signed_integer : ConstantKind::unsigned_integer;
    return result;
  }

  Constant integer(const char* begin, const char* digits, unsigned base) {
    std::uint64_t value = 0;
    bool too_large = false;
    const char* end = digits;
    for (; digit_of(*end) < base; ++end) {
      too_large |= value > (~std::uint64_t{0} - digit_of(*end)) / base;
      value = value * base + digit_of(*end);
    }
    const bool marked = *end == 'U' || *end == 'u';
    const bool bad = end == digits || is_word_character(end[marked ? 1 : 0]);
    if (bad || too_large) {
      scanner_.fail(syntax(too_large ? "integer-range" : "bad-integer"));
      return {};
    }
    scanner_.take(static_cast<std::size_t>(end - begin) + (marked ? 1 : 0));
    return {
        marked || value >> 63 != 0 ? ConstantKind::unsigned_integer : ConstantKind::signed_integer,
        value};
  }

  Constant exact_real(const char* begin, int digits) {
    std::uint64_t value = 0;
    const char* end = begin + 2;
    for (; digit_of(*end) < 16 && end - begin - 2 < digits; ++end) {
      value = value << 4 | digit_of(*end);
    }
    if (end - begin - 2 != digits || is_word_character(*end)) {
      scanner_.fail(
          syntax("hexadecimal-real", {{"digits", digits}, {"letter", std::string(1, begin[1])}}));
      return {};
    }
    scanner_.take(static_cast<std::size_t>(end - begin));
    return {ConstantKind::real, digits == 8 ? widen(static_cast<std::uint32_t>(value)) : value};
  }

  Constant decimal_real(const char* begin) {
    double value = 0;
    const char* text_end = scanner_.text().data() + scanner_.text().size();
    const auto [end, error] = std::from_chars(begin, text_end, value);
    if (error == std::errc::invalid_argument || is_word_character(*end)) {
      scanner_.fail(syntax("bad-real"));
      return {};
    }
    if (error == std::errc::result_out_of_range) {
      scanner_.fail(syntax("real-range"));
      return {};
    }
    scanner_.take(static_cast<std::size_t>(end - begin));
    return real(value);
  }

  /// The usual arithmetic conversions: both unsigned where one is.
  static void convert(Constant& a, Constant& b) {
    if (a.kind == ConstantKind::unsigned_integer && b.kind == ConstantKind::signed_integer) {
      b.kind = ConstantKind::unsigned_integer;
    } else if (b.kind == ConstantKind::unsigned_integer && a.kind == ConstantKind::signed_integer) {
      a.kind = ConstantKind::unsigned_integer;
    }
  }

  Constant apply(std::string_view op, Constant a, Constant b, std::uint32_t place) {
    if (scanner_.failed()) {
      return {};
    }
    if (a.is_real() || b.is_real()) {
      const std::optional<Constant> result =
          a.is_real() && b.is_real() ? apply_reals(op, a, b) : std::nullopt;
      if (!result) {
        scanner_.fail_at(place, syntax("real-operand", {{"operator", std::string(op)}}));
      }
      return result.value_or(Constant{});
    }
    if ((op == "/" || op == "%") && b.bits == 0) {
      scanner_.fail_at(place, syntax("divides-by-zero"));
      return {};
    }
    const ConstantKind left_kind = a.kind;
    convert(a, b);
    return apply_integers(op, a, b, left_kind);
  }

  static std::optional<Constant> apply_reals(std::string_view op, const Constant& a,
                                             const Constant& b) {
    const double x = real_of(a);
    const double y = real_of(b);
    if (op == "+") return real(x + y);
    if (op == "-") return real(x - y);
    if (op == "*") return real(x * y);
    if (op == "/") return real(x / y);
    if (op == "<") return truth(x < y);
    if (op == ">") return truth(x > y);
    if (op == "<=") return truth(x <= y);
    if (op == ">=") return truth(x >= y);
    if (op == "==") return truth(x == y);
    if (op == "!=") return truth(x != y);
    return std::nullopt;
  }

  /// `left_kind` is a's before the conversions: a shift keeps it.
  static Constant apply_integers(std::string_view op, const Constant& a, const Constant& b,
                                 ConstantKind left_kind) {
    const std::uint64_t x = a.bits;
    const std::uint64_t y = b.bits;
    const auto sx = static_cast<std::int64_t>(x);
    const auto sy = static_cast<std::int64_t>(y);
    const bool is_signed = a.kind == ConstantKind::signed_integer;
    if (op == "+") return {a.kind, x + y};
    if (op == "-") return {a.kind, x - y};
    if (op == "*") return {a.kind, x * y};
    if (op == "/")
      return {a.kind, !is_signed ? x / y : sy == -1 ? 0 - x : static_cast<std::uint64_t>(sx / sy)};
    if (op == "%") return {ConstantKind::signed_integer, x % y};
    if (op == "<") return truth(is_signed ? sx < sy : x < y);
    if (op == ">") return truth(is_signed ? sx > sy : x > y);
    if (op == "<=") return truth(is_signed ? sx <= sy : x <= y);
    if (op == ">=") return truth(is_signed ? sx >= sy : x >= y);
    if (op == "==") return truth(x == y);
    if (op == "!=") return truth(x != y);
    if (op == "&") return {a.kind, x & y};
    if (op == "|") return {a.kind, x | y};
    if (op == "^") return {a.kind, x ^ y};
    if (op == "&&") return truth(x != 0 && y != 0);
    if (op == "||") return truth(x != 0 || y != 0);
    if (op == "<<") return {left_kind, y > 63 ? 0 : x << y};
    // right shift: the sign comes in where the left operand was signed
    if (left_kind == ConstantKind::signed_integer)
      return {left_kind, static_cast<std::uint64_t>(sx >> (y > 63 ? 63 : y))};
    return {left_kind, y > 63 ? 0 : x >> y};
  }

  Scanner& scanner_;
  int depth_ = 0;
};

/// The constant at `place`, of which only 0 to `limit` will do.
std::uint64_t within(std::uint64_t limit, const Constant& constant, Scanner& scanner,
                     std::uint32_t place, std::string_view what) {
  const bool negative =
      constant.kind == ConstantKind::signed_integer && static_cast<std::int64_t>(constant.bits) < 0;
  if (constant.is_real() || negative || constant.bits > limit) {
    scanner.fail_at(place, syntax("range", {{"what", what_message(what)}, {"most", limit}}));
    return 0;
  }
  return constant.bits;
}

}  // namespace

bool begins_constant(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '~' || c == '!' || c == '(' || c == '.';
}

bool warp_size_here(const Scanner& scanner) {
  constexpr std::string_view kName = "WARP_SZ";
  if (scanner.peek() != kName[0]) {
    return false;
  }
  const std::string_view rest = scanner.text().substr(scanner.offset());
  return rest.starts_with(kName) &&
         (rest.size() == kName.size() || !is_word_character(rest[kName.size()]));
}

Constant read_constant(Scanner& scanner) { return Evaluator(scanner).conditional(); }

Constant read_integer(Scanner& scanner, std::string_view what) {
  const std::uint32_t place = scanner.offset();
  const Constant result = read_constant(scanner);
  if (result.is_real()) {
    scanner.fail_at(place, syntax("not-integer", {{"what", what_message(what)}}));
  }
  return result;
}

std::uint64_t read_count(Scanner& scanner, std::string_view what, std::uint64_t limit) {
  const std::uint32_t place = scanner.offset();
  return within(limit, read_integer(scanner, what), scanner, place, what);
}

std::uint64_t read_plain_count(Scanner& scanner, std::string_view what, std::uint64_t limit) {
  const std::uint32_t place = scanner.offset();
  if (!is_digit(scanner.peek())) {
    scanner.fail_expected(what_message(what));
    return 0;
  }
  return within(limit, Evaluator(scanner).literal(), scanner, place, what);
}

}  // namespace warpbook::device::ptx
