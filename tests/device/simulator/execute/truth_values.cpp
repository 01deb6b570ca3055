#include "tests/device/simulator/execute/truth_values.hpp"

#include <algorithm>

namespace warpbook::device::tests {

std::vector<Word64> pool_of(const std::string& kind, std::mt19937_64& random) {
  std::vector<Word64> v;
  if (kind == "f32") {
    v = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
         0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x4f000000,
         0xcf000000, 0x4f800000, 0x3f000000, 0xbfc00000, 0x4b000001, 0x34000000, 0x7f000001,
         0x43e00000, 0x43e80001, 0x3f801000, 0x3f803000, 0x38800000, 0x33800000, 0x477ff000};
    for (int k = 0; k < 24; ++k) {
      const Word64 exponent = 100 + random() % 56;
      v.push_back((random() & 0x807fffff) | exponent << 23);
    }
  } else if (kind == "f64") {
    v = {0,
         0x8000000000000000,
         0x3ff0000000000000,
         0xbff0000000000000,
         0x7ff0000000000000,
         0xfff0000000000000,
         0x7ff8000000000000,
         1,
         0x800fffffffffffff,
         0x0010000000000000,
         0x7fefffffffffffff,
         0x43e0000000000000,
         0xc3e0000000000000,
         0x41e0000000000000,
         0x36a0000000000000,
         0x47efffffe0000000,
         0x3fe0000000000000,
         0x40dfffffffffffff};
    for (int k = 0; k < 20; ++k) {
      const Word64 exponent = 1023 - 40 + random() % 110;
      v.push_back((random() & 0x800fffffffffffff) | exponent << 52);
    }
  } else if (kind == "f16" || kind == "bf16") {
    v = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3c01, 0x7bff, 0xfbff,
         0x7c00, 0xfc00, 0x7e00, 0xfd55, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x7f7f, 0x0080,
         0x007f, 0x7ff7, 0xfff7, 0x4000, 0x3800, 0x4248, 0x4049, 0x5fff, 0x1234};
    while (v.size() < 56) v.push_back(random() & 0xffff);
  } else if (kind == "f16x2" || kind == "bf16x2") {
    const std::vector<Word64> halves = pool_of(kind.substr(0, kind.size() - 2), random);
    for (const Word64 h : halves) v.push_back(h << 16 | halves[random() % halves.size()]);
  } else {
    const int bits = std::stoi(kind);
    const Word64 mask = bits == 64 ? ~Word64{0} : (Word64{1} << bits) - 1;
    for (int k = 0; k <= bits; k += bits / 8) {
      const Word64 power = k == 64 ? 0 : Word64{1} << k;
      for (const Word64 w : {power, power - 1, power + 1, ~power}) v.push_back(w & mask);
    }
    for (const Word64 small : {2, 3, 5, 30, 33, 63, 100}) v.push_back(small & mask);
    while (v.size() < 64) v.push_back(random() & mask);
  }
  return v;
}

std::string kind_of(const std::vector<std::string>& modifiers, const std::string& name) {
  const int width = width_of(name);
  std::string kind = std::to_string(width == 1 ? 8 : width);
  for (const std::string& m : modifiers) {
    const auto is = [&](std::initializer_list<const char*> names) {
      return std::find(names.begin(), names.end(), m) != names.end();
    };
    if ((width == 64 && is({"f64"})) || (width == 32 && is({"f32", "f16x2", "bf16x2"})) ||
        (width == 16 && is({"f16", "bf16"})))
      kind = m;
  }
  return kind;
}

}  // namespace warpbook::device::tests
