// How much memory a value takes beside itself, by the lists of fields.hpp: for what is kept up to a bound. Texts and vectors count with
// their capacity and with what the allocator adds, so that many small ones count as what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include "device/wire/bytes.hpp"

namespace warpbook::device {

class HeldBytes {
 public:
  template <class T>
  void operator()(std::string_view /*name*/, const T& value) {
    add(value);
  }
  template <class T>
  void add(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      return;
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (value.capacity() > std::string().capacity()) add_block(value.capacity() + 1);
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
      add(value.native());
    } else if constexpr (kIsOf<T, std::vector>) {
      add_block(value.capacity() * sizeof(typename T::value_type));
      if constexpr (!std::is_trivially_copyable_v<typename T::value_type>) {
        for (const auto& element : value) add(element);
      }
    } else if constexpr (kIsArray<T>) {
      for (const auto& element : value) add(element);
    } else if constexpr (kIsOf<T, std::map>) {
      constexpr std::size_t kNode = 4 * sizeof(void*);
      for (const auto& entry : value) {
        add_block(kNode + sizeof entry);
        add(entry);
      }
    } else if constexpr (kIsOf<T, std::pair> || kIsOf<T, std::tuple>) {
      std::apply([this](const auto&... each) { (this->add(each), ...); }, value);
    } else if constexpr (kIsOf<T, std::optional>) {
      if (value) add(*value);
    } else if constexpr (kIsOf<T, std::variant>) {
      std::visit([this](const auto& held) { add(held); }, value);
    } else {
      fields(*this, value);
    }
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  /// glibc's blocks have a head of 8 bytes and are multiples of 16.
  void add_block(std::size_t size) {
    if (size != 0) bytes_ += (size + 8 + 15) / 16 * 16;
  }

  std::uint64_t bytes_ = 0;
};

template <class T>
std::uint64_t held_bytes(const T& value) {
  HeldBytes held;
  held.add(value);
  return held.bytes();
}

}  // namespace warpbook::device
