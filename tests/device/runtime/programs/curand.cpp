// cuRAND's host side: the numbers that NVIDIA's library gives for a seed, by generator, order and kind, and what their distributions
// promise.
#include <curand.h>

#include <algorithm>
#include <array>

#include "tests/device/runtime/programs/library_program.hpp"

namespace {

using namespace program;

constexpr unsigned long long kSeed = 1234;
constexpr std::size_t kCount = 300000;
/// Where numbers are compared: at the beginning, and round the ends of rows of sequences.
constexpr std::array<std::size_t, 8> kPlaces{0, 1, 2, 3, 4095, 4096, 81920, 262144};

class Generator {
 public:
  explicit Generator(curandRngType_t type, bool for_host = false) {
    done(for_host ? curandCreateGeneratorHost(&generator_, type)
                  : curandCreateGenerator(&generator_, type));
    done(curandSetPseudoRandomGeneratorSeed(generator_, kSeed));
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator() { done(curandDestroyGenerator(generator_)); }
  operator curandGenerator_t() const { return generator_; }

 private:
  curandGenerator_t generator_ = nullptr;
};

/// What NVIDIA's libcurand 10.4 generates on the host for kSeed, at kPlaces.
struct Known {
  curandRngType_t type;
  std::array<unsigned, 8> bits, legacy;
  std::array<unsigned, 4> after_million;  ///< with offset 1000003
  std::array<double, 8> uniform, uniform_double, normal, normal_double, log_normal_double;
};
const std::array<Known, 3> kKnown{{
    {CURAND_RNG_PSEUDO_XORWOW,
     {0x253d5e15, 0xd1f7605a, 0x8ce6f6f8, 0x4b79ff67, 0xe5dcbada, 0x6f558604, 0xc5ab68df,
      0x406c7b5a},
     {0x253d5e15, 0xd1f7605a, 0x8ce6f6f8, 0x4b79ff67, 0xe5dcbada, 0x6f558604, 0xc5ab68df,
      0x406c7b5a},
     {0x00087170, 0xfab15b7c, 0xb1e8ca04, 0x3f04d129},
     {0.145467639, 0.820180893, 0.550399244, 0.294830292, 0.89789933, 0.434898734, 0.772146761,
      0.25165531},
     {0.43489880438841294, 0.92641692020243771, 0.81184521113001917, 0.30855542463539803,
      0.98820661192243198, 0.45516523048612917, 0.22716721667632084, 0.57850144559783079},
     {0.780973554, -1.80157816, -0.280848563, 0.563546598, 1.29743934, 1.93902695, 0.630349874,
      -1.36010182},
     {0.35873979852445503, -1.239592503223552, -0.091495399773608627, -0.38011893868395424,
      0.20635353954514107, 1.4438503460964678, -1.4961445408862921, 0.45555372432852248},
     {1.8034201577017179, 1.2093727952607147, 1.6114367140653927, 1.4992579194530133,
      1.7360082783928865, 2.3654365355154798, 1.1342411814860858, 1.8476017210546449}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     {0xc96891f0, 0x26f0d612, 0xef269080, 0xfc8fa50e, 0xa85b4ff8, 0x9dda211d, 0x9650c684,
      0x565bc969},
     {0xc96891f0, 0x26f0d612, 0xef269080, 0xfc8fa50e, 0xa85b4ff8, 0x9650c684, 0x7b5ff62d,
      0x1b9e6b69},
     {0x95ae5f7d, 0x57740607, 0x838f6603, 0x82d4d7ab},
     {0.786751866, 0.152112365, 0.934182227, 0.986566842, 0.657643318, 0.616609633, 0.587170064,
      0.33733806},
     {0.78675186271572939, 0.15211236914421553, 0.93418219691237425, 0.9865668449067676,
      0.65764331641780527, 0.6166096399238834, 0.58717003574560811, 0.33733805490277091},
     {-0.360653788, -0.591281295, -1.7185365, -0.901611984, 1.30085957, 0.0452207141, 0.642083287,
      -0.658286691},
     {-0.36065364611174472, -0.59128140374174409, -1.718536061653114, -0.90161262521673557,
      1.3008596332329811, 0.045220713831235264, 0.64208339878874643, -0.65828672736036442},
     {1.5065715738336956, 1.4221639912013191, 1.0729007745548544, 1.3160000142031809,
      2.2823712131629676, 1.6674661161609203, 1.9358003328885891, 1.398539276724825}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0x3aad5500, 0x7a6635c0, 0xc0712926,
      0x9eeede35},
     {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0x3aad5500, 0x7a6635c0, 0xc0712926,
      0x9eeede35},
     {0x115983aa, 0xff38cced, 0x50ca8e53, 0x28b9793a},
     {0.12720795, 0.853468955, 0.265648872, 0.796055257, 0.229207337, 0.478122115, 0.751726687,
      0.620832324},
     {0.85346899543001431, 0.79605514883270523, 0.11227557330034327, 0.080060631323720377,
      0.80878207458661233, 0.21564764650400298, 0.39968672709918424, 0.98448155967187301},
     {-1.61649048, 1.22915542, -1.56054044, 0.464621365, 0.0742003247, 1.18662775, 0.445269287,
      0.633082867},
     {-0.53952669590731883, 0.16063334644202293, 1.0081967077372695, 1.8322492478152392,
      0.10187815007924603, -1.4806033316311182, 0.99559930694633569, -0.03923432532902188},
     {1.440684468527873, 1.7162785904067164, 2.1213425720292869, 2.6066407202044526,
      1.6912527686071841, 1.1386566234819471, 2.1146722305145524, 1.632628705658385}},
}};

template <class T, class Expected>
void expect_at_places(const std::vector<T>& got, const std::array<Expected, 8>& known,
                      double within, std::source_location at = std::source_location::current()) {
  for (std::size_t i = 0; i < kPlaces.size(); ++i)
    expect_near(static_cast<double>(got[kPlaces[i]]), static_cast<double>(known[i]), within, at);
}

void bits() {
  for (const Known& known : kKnown) {
    const Array<unsigned> out(kCount);
    const Generator generator(known.type);
    done(curandGenerate(generator, out, kCount));
    expect_at_places(out.values(), known.bits, 0);
    done(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_LEGACY));
    done(curandGenerate(generator, out, kCount));
    expect_at_places(out.values(), known.legacy, 0);
    done(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT));
    done(curandSetGeneratorOffset(generator, 1000003));
    done(curandGenerate(generator, out, 4));
    const auto after = out.values();
    expect_true(std::equal(known.after_million.begin(), known.after_million.end(), after.begin()));
  }
}

void distributions() {
  constexpr double kFloat = 1e-6, kDouble = 1e-14;
  for (const Known& known : kKnown) {
    const Array<float> floats(kCount);
    const Array<double> doubles(kCount);
    const Generator generator(known.type);
    const auto again = [&] { done(curandSetPseudoRandomGeneratorSeed(generator, kSeed)); };
    done(curandGenerateUniform(generator, floats, kCount));
    expect_at_places(floats.values(), known.uniform, kFloat / 10);
    again();
    done(curandGenerateUniformDouble(generator, doubles, kCount));
    expect_at_places(doubles.values(), known.uniform_double, kDouble);
    again();
    done(curandGenerateNormal(generator, floats, kCount, 0, 1));
    expect_at_places(floats.values(), known.normal, 5 * kFloat);
    again();
    done(curandGenerateNormalDouble(generator, doubles, kCount, 0, 1));
    expect_at_places(doubles.values(), known.normal_double, kDouble);
    again();
    done(curandGenerateLogNormalDouble(generator, doubles, kCount, 0.5, 0.25));
    expect_at_places(doubles.values(), known.log_normal_double, kDouble);
    again();
    done(curandGenerateLogNormal(generator, floats, 2, 0, 1));
    expect_near(floats.values()[0], std::exp(known.normal[0]), 20 * kFloat);
  }
}

/// Numbers that are asked for in pieces are those that are asked for at once.
void pieces() {
  for (const Known& known : kKnown) {
    const Array<unsigned> whole(9000), parts(9000);
    const Array<double> doubles(9000), double_parts(9000);
    const Generator one(known.type), other(known.type), third(known.type), fourth(known.type);
    done(curandGenerate(one, whole, 9000));
    done(curandGenerateUniformDouble(third, doubles, 9000));
    std::size_t begin = 0;
    for (const std::size_t count : {1u, 6u, 0u, 4093u, 4900u}) {
      done(curandGenerate(other, parts + begin, count));
      done(curandGenerateUniformDouble(fourth, double_parts + begin, count));
      begin += count;
    }
    expect_true(whole.values() == parts.values());
    expect_true(doubles.values() == double_parts.values());
  }
}

/// Philox counts on through rows of its 65536 sequences, whatever kind of number they give.
void rows_of_philox() {
  constexpr std::size_t kRow = 4 * 65536;
  const Array<double> whole(3 * kRow), parts(3 * kRow);
  const Generator one(CURAND_RNG_PSEUDO_PHILOX4_32_10), other(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  done(curandGenerateUniformDouble(one, whole, 3 * kRow));
  done(curandGenerateUniformDouble(other, parts, kRow + 10));
  done(curandGenerateUniformDouble(other, parts + kRow + 10, 2 * kRow - 10));
  expect_true(whole.values() == parts.values());
}

void poisson() {
  for (const Known& known : kKnown) {
    for (const double lambda : {0.25, 3.0, 100.0, 50000.0}) {
      const Array<unsigned> out(20000);
      const Generator generator(known.type);
      done(curandGeneratePoisson(generator, out, 20000, lambda));
      double sum = 0, squares = 0;
      for (const unsigned value : out.values()) {
        sum += value;
        squares += (value - lambda) * (value - lambda);
      }
      // Five standard errors of the mean, and of the variance.
      expect_near(sum / 20000, lambda, 5 * std::sqrt(lambda / 20000));
      expect_near(squares / 20000, lambda, 5 * std::sqrt((2 * lambda * lambda + lambda) / 20000));
    }
  }
}

void for_the_host() {
  const Generator generator(CURAND_RNG_PSEUDO_XORWOW, true);
  std::vector<unsigned> out(8192);
  done(curandGenerate(generator, out.data(), out.size()));
  expect_equal(out[4096], kKnown[0].bits[5]);
}

void streams() {
  cudaStream_t stream = nullptr;
  ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const Array<unsigned> out(8);
  const Generator generator(CURAND_RNG_PSEUDO_DEFAULT);
  done(curandSetStream(generator, stream));
  done(curandGenerate(generator, out, 8));
  ok(cudaStreamSynchronize(stream));
  expect_equal(out.values()[1], kKnown[0].bits[1]);
  ok(cudaStreamDestroy(stream));
}

void errors() {
  curandGenerator_t generator = nullptr;
  int version = 0;
  const Array<float> out(8);
  expect_status(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32),
                CURAND_STATUS_TYPE_ERROR);
  expect_status(curandGenerateUniform(nullptr, out, 8), CURAND_STATUS_NOT_INITIALIZED);
  expect_status(curandDestroyGenerator(nullptr), CURAND_STATUS_NOT_INITIALIZED);
  const Generator xorwow(CURAND_RNG_PSEUDO_XORWOW), philox(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  expect_status(curandGenerateNormal(xorwow, out, 7, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  done(curandGenerateNormal(philox, out, 7, 0, 1));
  expect_status(curandSetGeneratorOrdering(xorwow, CURAND_ORDERING_QUASI_DEFAULT),
                CURAND_STATUS_OUT_OF_RANGE);
  expect_status(curandSetQuasiRandomGeneratorDimensions(xorwow, 2), CURAND_STATUS_TYPE_ERROR);
  unsigned long long* const wide = nullptr;
  expect_status(curandGenerateLongLong(xorwow, wide, 1), CURAND_STATUS_TYPE_ERROR);
  unsigned* const counts = nullptr;
  expect_status(curandGeneratePoisson(xorwow, counts, 1, -1), CURAND_STATUS_OUT_OF_RANGE);
  done(curandGetVersion(&version));
  expect_equal(version / 1000, 10);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 101;
  return run_case(argv[2], {{"bits", bits},
                            {"distributions", distributions},
                            {"pieces", pieces},
                            {"rows-of-philox", rows_of_philox},
                            {"poisson", poisson},
                            {"for-the-host", for_the_host},
                            {"streams", streams},
                            {"errors", errors}});
}
