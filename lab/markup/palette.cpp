#include "lab/markup/palette.hpp"

#include <algorithm>
#include <cmath>

#include "lab/markup/contrast.hpp"

namespace warpbook::lab {

// clang-format off
const std::array<RoleColours, kRoles> kPalette{{
    //                                         dark      light     contrast
    {Role::s0,             "s0",             {0x141518, 0xECECE8, 0x000000}},
    {Role::s1,             "s1",             {0x1B1C1F, 0xFBFBF9, 0x000000}},
    {Role::s2,             "s2",             {0x222428, 0xFFFFFF, 0x000000}},
    {Role::s3,             "s3",             {0x2B2D32, 0xF1F1EE, 0x1A1A1A}},
    {Role::s4,             "s4",             {0x383B42, 0xDFDFDA, 0x404040}},
    {Role::s5,             "s5",             {0x4A4E57, 0xBFC0BB, 0x5C5C5C}},
    {Role::line,           "line",           {0x303338, 0xE2E2DD, 0x8C8C8C}},
    {Role::t1,             "t1",             {0xE9EAEC, 0x1D1F23, 0xFFFFFF}},
    {Role::t2,             "t2",             {0xB7BBC3, 0x4B4F57, 0xFFFFFF}},
    {Role::t3,             "t3",             {0x9297A1, 0x656971, 0xFFFFFF}},
    {Role::t4,             "t4",             {0x5F646E, 0xA2A5AB, 0xB8B8B8}},
    {Role::accent,         "accent",         {0x8EA6FF, 0x3852C4, 0xFFD400}},
    {Role::accent_tint,    "accent-tint",    {0x272E48, 0xE6EAFB, 0x3A3000}},
    {Role::accent_text,    "accent-text",    {0xC6D1FF, 0x2A3FA0, 0xFFE566}},
    {Role::on_accent,      "on-accent",      {0x10131F, 0xFFFFFF, 0x000000}},
    {Role::ok,             "ok",             {0x62CB8E, 0x17753F, 0x6BFFA6}},
    {Role::ok_tint,        "ok-tint",        {0x1D3128, 0xE2F2E8, 0x00351B}},
    {Role::warn,           "warn",           {0xE6B450, 0x8F5F00, 0xFFC24D}},
    {Role::warn_tint,      "warn-tint",      {0x372E1B, 0xF8EED6, 0x402C00}},
    {Role::bad,            "bad",            {0xF47C7C, 0xBE322D, 0xFF8A8A}},
    {Role::bad_tint,       "bad-tint",       {0x3A2225, 0xFAE5E3, 0x4A0E0E}},
    {Role::category_0,     "c0",             {0x56B4E9, 0x0072B2, 0x56B4E9}},
    {Role::category_1,     "c1",             {0xE69F00, 0xD55E00, 0xE69F00}},
    {Role::category_2,     "c2",             {0x009E73, 0x009E73, 0x009E73}},
    {Role::category_3,     "c3",             {0xCC79A7, 0xCC79A7, 0xCC79A7}},
    {Role::category_4,     "c4",             {0xF0E442, 0xE69F00, 0xF0E442}},
    {Role::category_5,     "c5",             {0xD55E00, 0x56B4E9, 0xD55E00}},
    {Role::neutral,        "neutral",        {0x5F646E, 0x8E949E, 0xB8B8B8}},
    {Role::code_keyword,   "code-keyword",   {0xC9A5E8, 0x7A3AA8, 0xC9A5E8}},
    {Role::code_type,      "code-type",      {0x7CC8BC, 0x0F6F66, 0x7CC8BC}},
    {Role::code_cuda,      "code-cuda",      {0x8FBDF0, 0x1F5FA8, 0x8FBDF0}},
    {Role::code_number,    "code-number",    {0xE2B878, 0x8F5300, 0xE2B878}},
    {Role::code_string,    "code-string",    {0xA5C97F, 0x3F7218, 0xA5C97F}},
    {Role::code_comment,   "code-comment",   {0x8A8F99, 0x656971, 0xD0D0D0}},
    {Role::code_directive, "code-directive", {0xD49AA8, 0xA03A55, 0xD49AA8}},
}};
// clang-format on

Rgb colour_in(PaletteTheme theme, Role role) {
  return kPalette[static_cast<std::size_t>(role)].in[static_cast<std::size_t>(theme)];
}

std::string_view name_of(Role role) { return kPalette[static_cast<std::size_t>(role)].name; }

Rgb mixed(Rgb under, Rgb over, double share) {
  Rgb result = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    const auto a = static_cast<double>(under >> shift & 0xFF),
               b = static_cast<double>(over >> shift & 0xFF);
    result |= static_cast<Rgb>(std::lround(a + (b - a) * share)) << shift;
  }
  return result;
}

Rgb sequence_colour(double share) {
  // Nine stops of Viridis (S. van der Walt, N. Smith, 2015), evenly spaced.
  static constexpr std::array<Rgb, 9> kStops{0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                             0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  return mixed(kStops[low], kStops[low + 1], at - static_cast<double>(low));
}

Rgb grey(double share) {
  return static_cast<Rgb>(std::lround(std::clamp(share, 0.0, 1.0) * 255)) * 0x010101;
}

Rgb ink_on(Rgb fill) {
  constexpr Rgb kWhite = 0xFFFFFF, kNearBlack = 0x10131F;
  return contrast(fill, kWhite) >= contrast(fill, kNearBlack) ? kWhite : kNearBlack;
}

}  // namespace warpbook::lab
