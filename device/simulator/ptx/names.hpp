// Names with nested scopes: the innermost declaration wins, and a closed scope forgets its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpbook::device::ptx {

/// A name's meaning: the parser's own number for a kind of thing, and which of them.
struct Meaning {
  std::uint8_t kind = 0;
  std::uint32_t index = 0;
  std::uint32_t depth = 0;  ///< of the scope that declared it
};

/// Every operation but closing a scope takes constant time; closing takes time in what the scope
/// declared. Views must outlive the table.
class Names {
  static constexpr std::uint32_t kNobody = 0xffffffff;

 public:
  Names();
  void open_scope() { scopes_.push_back(kNobody); }
  void close_scope();
  /// 0 in the outermost scope, which is never closed.
  [[nodiscard]] std::uint32_t depth() const {
    return static_cast<std::uint32_t>(scopes_.size() - 1);
  }

  /// False where the current scope has the name already.
  bool declare(std::string_view name, std::uint8_t kind, std::uint32_t index) {
    return declare_at(depth(), name, kind, index);
  }
  /// Declares in an outer scope, where no scope further in has the name.
  bool declare_at(std::uint32_t depth, std::string_view name, std::uint8_t kind,
                  std::uint32_t index);
  /// Null where no open scope, of those less deep than `below`, has the name. Valid until the next
  /// change.
  [[nodiscard]] const Meaning* find(std::string_view name, std::uint32_t below = kNobody) const;

 private:
  struct Entry {
    std::string_view name;
    std::uint32_t hash;
    std::uint32_t innermost;  ///< into bindings_
  };
  struct Binding {
    Meaning meaning;
    std::uint32_t entry;
    std::uint32_t outer;  ///< the binding that this one hides
    std::uint32_t next_in_scope;
  };
  [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint32_t hash) const;
  void grow();

  std::vector<std::uint32_t> slots_;  ///< hash table into entries_
  std::vector<Entry> entries_;
  std::vector<Binding> bindings_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> scopes_;  ///< the last binding of each open scope
};

}  // namespace warpbook::device::ptx
