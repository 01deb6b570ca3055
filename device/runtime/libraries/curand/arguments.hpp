// What the host hands to the kernels of kernels.cu; the host and NVRTC both read this file, so that they agree on every byte.
#pragma once

namespace warpbook::device::libraries::curand {

/// XORWOW (G. Marsaglia, "Xorshift RNGs"): five words of a shift register, and a counter.
struct Xorwow {
  unsigned v[5];
  unsigned d;
};

/// MRG32k3a (P. L'Ecuyer): two recurrences of three words.
struct Mrg32k3a {
  unsigned a[3];
  unsigned b[3];
};

// Its moduli and factors.
constexpr unsigned long long kModulusA = 4294967087, kModulusB = 4294944443;
constexpr unsigned long long kA12 = 1403580, kA13 = kModulusA - 810728;
constexpr unsigned long long kB21 = 527612, kB23 = kModulusB - 1370589;

/// Of a generator with states: its sequences take turns, one after the other, each with one result or one pair of results.
struct Turns {
  void* states = nullptr;
  int sequences = 0;    ///< how many states there are
  int first = 0;        ///< whose turn it is
  long long turns = 0;  ///< to take
};

/// Philox, whose numbers are a function of their place: results in quads, each sequence one quad in a row of all sequences.
struct Places {
  unsigned long long seed = 0;
  unsigned long long first = 0;  ///< the place of the first result
  unsigned long long results = 0;
  unsigned long long counter = 0;  ///< of the first quad's row
};

/// How bits become a result.
struct Shape {
  double mean = 0, deviation = 1;  ///< of a normal distribution
  int exponential = 0;             ///< its logarithm is normal
  const double* sums =
      nullptr;    ///< of a Poisson distribution: probabilities of `least` at most, and so on
  int count = 0;  ///< of those
  unsigned least = 0;
};

}  // namespace warpbook::device::libraries::curand
