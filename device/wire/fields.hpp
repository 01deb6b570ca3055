// How a type says what it is made of, once, for all who write it, read it or describe it. Every struct that goes into a
// message, a report or a JSON document has one list beside it, and every enum in such a struct has one list of names:
//
//   template <class V>
//   void fields(V&& visit, Is<SourcePlace> auto& v) {
//     visit("file", v.file);
//     visit("line", v.line);
//   }
//   constexpr auto enum_names(AccessKind) { return checked_names<AccessKind>("load", "store", "atomic"); }
//
// The lists are found by the type's own namespace. bytes.hpp makes bytes of them, and values of bytes. Where not every
// combination of values makes sense, the type also has a `bool valid(const T&)` beside its list: a reader refuses what
// it answers false for.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace warpbook::device {

/// A list serves both ways: T is U while it is read, and const U while it is written.
template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

/// Whether a value of an enum has a name in its definition. GCC and Clang both print an enumerator by its name and every
/// other value as a cast of a number, "(Space)7".
template <auto kValue>
consteval bool is_enumerator() {
  constexpr std::string_view kPrinted = __PRETTY_FUNCTION__;
  const char behind = kPrinted[kPrinted.rfind(')') + 1];
  return behind != '-' && (behind < '0' || behind > '9');
}

/// The names of the values of an enum, from 0 on. An enum that gains an enumerator and no name does not compile.
template <class E, class... Name>
consteval std::array<std::string_view, sizeof...(Name)> checked_names(const Name&... name) {
  static_assert(is_enumerator<static_cast<E>(sizeof...(Name) - 1)>(), "a name without a value");
  static_assert(!is_enumerator<static_cast<E>(sizeof...(Name))>(), "a value without a name");
  return {std::string_view(name)...};
}

template <class E>
concept Named = std::is_enum_v<E> && requires(E e) {
  enum_names(e);
};

/// The names that an enum's enum_names() gives.
template <Named E>
inline constexpr auto kEnumNames = enum_names(E{});

template <Named E>
constexpr std::string_view name_of(E value) {
  return kEnumNames<E>.at(static_cast<std::size_t>(value));
}

}  // namespace warpbook::device
