// The generator's own state: what may be read where it stands, and the text so far.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace warpbook::device::tests::reference {

/// Registers by class: 'p' predicate, 'h' 16 bits, 'r' 32, 'd' 64, 'q' 128.
inline constexpr std::string_view kClasses = "phrdq";

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  // Chance
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(int percent) { return below(100) < static_cast<std::uint64_t>(percent); }
  std::uint64_t any() { return random_(); }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
  /// Of "add{.sat,}.{u32,s32}", one alternative of every brace.
  std::string expand(std::string_view pattern);

  // Text
  void line(const std::string& text);
  /// An instruction, now and then behind a guard; `may_guard` only where no register is new.
  void instruction(const std::string& text, bool may_guard);
  std::string label() { return fmt::format("L{}", labels_++); }
  std::string unique(char kind) { return fmt::format("%{}x{}", kind, uniques_++); }

  // Registers
  /// One that holds something; makes one where there is none.
  std::string source(char kind);
  /// One to write to: a new one, which `is_new` then says, or one that holds something.
  std::string destination(char kind, bool& is_new);
  std::string fresh(char kind);
  /// From here on it may be read, and written to unless `constant`.
  void offer(char kind, const std::string& name, bool constant = false);
  /// What became readable since is forgotten at the end of a scope.
  struct Scope {
    std::array<std::size_t, 5> writable{}, constant{};
  };
  Scope mark() const;
  void forget(const Scope& scope);
  const std::vector<std::string>& writable(char kind) const {
    return writable_[kClasses.find(kind)];
  }

  // Operations (operations.cpp): one that computes, from a table of all that both sides know.
  void operation(bool approximate);
  /// An operand of a table's row: see operations.cpp.
  std::string operand(char kind);

  /// Declarations of all registers that the text names.
  std::string declarations() const;
  /// Begins the text of another function.
  std::string take_text();

 private:
  void convert();
  void carry_chain();
  void pack_or_unpack();
  std::string integer(int bits);

  std::mt19937_64 random_;
  std::string text_;
  std::array<std::vector<std::string>, 5> writable_, constant_;
  std::array<std::uint32_t, 5> made_{};
  std::uint32_t labels_ = 0, uniques_ = 0;
};

}  // namespace warpbook::device::tests::reference
