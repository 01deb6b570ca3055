// Fetches from one texture for one lane at a time (CUDA C++ Programming Guide, "Texture Fetching"; PTX ISA 9.0, 9.7.10).
//
// Texels, not coordinates, are clamped, wrapped, mirrored or taken from the border, as graphics hardware does; so a
// filtered fetch past an edge mixes the texels that the mode puts there. Weights have 8 bits of fraction. A texel of weight 0
// takes no part. NaN as a coordinate is 0. Sums are made in double and rounded once.
#pragma once

#include <cstdint>

#include "device/simulator/state/context.hpp"
#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device {

/// The place from which a lane fetches.
struct FetchPlace {
  float u[3] = {};              ///< coordinates; of a cubemap a direction
  std::int32_t offset[3] = {};  ///< texels
  std::uint32_t layer = 0;
  bool compares = false;  ///< each texel becomes whether `reference` is at most it
  float reference = 0;
};

class TextureSampler {
 public:
  TextureSampler(const TextureObject& texture, const Context& context);

  /// tex with floating coordinates. `lod`: where in the pyramid, before bias and clamping.
  void sample(const FetchPlace& place, double lod, std::uint32_t (&to)[4]);
  /// tex of level 0.
  void sample_base(const FetchPlace& place, std::uint32_t (&to)[4]);
  /// tex with integer coordinates: one texel of a level, 0 where there is none.
  void load(const std::int64_t (&at)[3], std::uint32_t layer, std::int64_t level,
            std::uint32_t (&to)[4]);
  /// tld4: one component of the four texels that a filtered fetch would mix, from lower left counter-clockwise.
  void gather(const FetchPlace& place, int component, std::uint32_t (&to)[4]);
  /// The place in the pyramid that the derivatives of the coordinates ask for.
  [[nodiscard]] double lod_of(const FetchPlace& place, const float (&dx)[3],
                              const float (&dy)[3]) const;

  /// An undefined texel that was fetched; 0: none. Only kept where the context checks.
  Pointer undefined = 0;

 private:
  struct Plane {
    double u[3];
    std::uint32_t plane;
    bool normalised;
  };
  [[nodiscard]] Plane plane_of(const FetchPlace& place) const;
  [[nodiscard]] std::int64_t texel_index(float u, std::uint32_t size, int axis) const;
  [[nodiscard]] double texel_coordinate(double u, std::uint32_t size, AddressMode mode,
                                        bool normalised) const;
  void texel(const TexelLevel& level, std::int64_t x, std::int64_t y, std::int64_t plane,
             std::uint32_t (&to)[4]);
  /// As texel(), with coordinates that may be outside.
  void addressed(const TexelLevel& level, const std::int64_t (&at)[3], std::uint32_t plane,
                 const FetchPlace& place, std::uint32_t (&to)[4]);
  void point(const TexelLevel& level, const FetchPlace& place, const Plane& plane,
             std::uint32_t (&to)[4]);
  void filter(const TexelLevel& level, const FetchPlace& place, const Plane& plane,
              double (&to)[4]);

  const TextureObject& t_;
  const int dimensions_;
  const bool is_cube_;
  const std::byte* const memory_;
  const std::uint8_t* const valid_;
  const bool check_;
};

}  // namespace warpbook::device
