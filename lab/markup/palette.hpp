// The colours of the window and of HTML pages: one table of roles, with a column for each theme. Nothing else names a colour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpbook::lab {

/// 0xRRGGBB.
using Rgb = std::uint32_t;

/// What a colour is for.
enum class Role : std::uint8_t {
  // Surfaces, from the page's ground up to what is pressed.
  s0,
  s1,
  s2,
  s3,
  s4,
  s5,
  line,  ///< the outline of what is absent
  // Text, from first to disabled.
  t1,
  t2,
  t3,
  t4,
  accent,
  accent_tint,
  accent_text,
  on_accent,
  ok,
  ok_tint,
  warn,
  warn_tint,
  bad,
  bad_tint,
  // Okabe-Ito, in the order of use.
  category_0,
  category_1,
  category_2,
  category_3,
  category_4,
  category_5,
  neutral,  ///< data without a category
  code_keyword,
  code_type,
  code_cuda,
  code_number,
  code_string,
  code_comment,
  code_directive
};
inline constexpr std::size_t kRoles = static_cast<std::size_t>(Role::code_directive) + 1,
                             kCategories = 6;

/// A category's role; further ones begin anew.
constexpr Role category(std::size_t number) {
  return static_cast<Role>(static_cast<std::size_t>(Role::category_0) + number % kCategories);
}

enum class PaletteTheme : std::uint8_t { dark, light, contrast };

struct RoleColours {
  Role role;
  std::string_view name;  ///< of the CSS variable: "--" and this
  std::array<Rgb, 3> in;  ///< by theme
};
/// In the order of Role.
extern const std::array<RoleColours, kRoles> kPalette;

Rgb colour_in(PaletteTheme theme, Role role);
/// The name of its CSS variable without the dashes: "accent-tint".
std::string_view name_of(Role role);

// Colours of values, which are the same in every theme.

/// Viridis, at 0 (dark) to 1 (bright).
Rgb sequence_colour(double share);
/// Black at 0, white at 1.
Rgb grey(double share);
/// The ink that is read best on a fill: white on what is dark, a near black on what is bright.
Rgb ink_on(Rgb fill);
/// `share` of `over` laid on `under`.
Rgb mixed(Rgb under, Rgb over, double share);

}  // namespace warpbook::lab
