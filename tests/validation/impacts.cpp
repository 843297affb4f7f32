// SPDX-License-Identifier: MIT
// Collisions of two, through scene files with the default step: restitution, duration, angular restitution (Babic 1988,
// appendix A; spec/soft.md), for every law, bodies and walls, equal and unequal, 2D and 3D.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/in_memory.hpp"

namespace {

using namespace moraine;
using test::example;
using test::InMemory;
using test::Results;

template <int D>
Results impact(const std::string& scene, std::vector<std::string> sets) {
  if (D == 3) sets.emplace_back("dimension=3");
  InMemory<D> m(example(scene, sets));
  m.to_the_end();
  return m.results("impact");
}

class ImpactOfEveryLaw : public testing::TestWithParam<const char*> {};

TEST_P(ImpactOfEveryLaw, GivesBackTheRestitutionAskedForWithinThreeTenthsOfAPercent) {
  for (const double e : {0.1, 0.35, 0.8, 0.99}) {
    for (const char* more : {"setup.mass_ratio=1", "setup.mass_ratio=7", "setup.radius_ratio=3", "setup.against=wall",
                             "setup.speed=0.013", "setup.no_tension=true"}) {
      const std::vector<std::string> sets = {std::string("setup.law=") + GetParam(),
                                             fmt::format("setup.restitution={}", e), more};
      EXPECT_NEAR(impact<2>("impact_normal", sets).at("restitution"), e, 0.003 * e) << GetParam() << " 2D " << more;
      EXPECT_NEAR(impact<3>("impact_normal", sets).at("restitution"), e, 0.003 * e) << GetParam() << " 3D " << more;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Impacts, ImpactOfEveryLaw,
                         testing::Values("linear", "hertz", "hunt-crossley", "walton-braun"));

TEST(Impacts, LinearDurationIsThatOfTheoryWithinTwoTenthsOfAPercent) {
  for (const double e : {0.1, 0.35, 0.8, 0.99}) {
    for (const char* other : {"setup.against=body", "setup.against=wall"}) {
      const double mass = 1000 * M_PI * 0.05 * 0.05, K = 0.5e12;
      const double m_eff = std::string(other) == "setup.against=wall" ? mass : 0.5 * mass;
      const double zeta = -std::log(e) / std::sqrt(M_PI * M_PI + std::log(e) * std::log(e));
      const double theory = M_PI / std::sqrt(K / m_eff * (1 - zeta * zeta));  // (A.53)
      const Results r = impact<2>("impact_normal", {fmt::format("setup.restitution={}", e), other});
      EXPECT_NEAR(r.at("duration"), theory, 0.002 * theory) << "e = " << e << ", " << other;
    }
  }
}

// The force curve of figure A.4: F = K c_0 / omega_d exp(-zeta omega_0 t) (sin + C/K d/dt ...), here as overlap (A.52).
TEST(Impacts, OverlapFollowsTheClosedFormOverTheWholeContact) {
  InMemory<2> m(example("impact_normal"));
  m.to_the_end();
  const double mass = 1000 * M_PI * 0.05 * 0.05, omega0 = std::sqrt(0.5e12 / (0.5 * mass));
  const double zeta = -std::log(0.8) / std::sqrt(M_PI * M_PI + std::log(0.8) * std::log(0.8));
  const double omega = omega0 * std::sqrt(1 - zeta * zeta);
  const auto& rows = m.rows.at("impact");
  ASSERT_GT(rows.size(), 40U);
  // First touch after a tenth of the elastic contact time (scene/setups.cpp).
  const double begin = 0.1 * M_PI / omega0;
  for (const auto& row : rows) {
    const double t = row[0] - begin;
    EXPECT_NEAR(row[3] * omega, std::exp(-zeta * omega0 * t) * std::sin(omega * t), 3e-3) << "t = " << t;
  }
}

TEST(Impacts, SourcesStepOfATenthStaysAvailable) {
  const Results r = impact<2>("impact_normal", {"time.fraction=0.1"});
  EXPECT_NEAR(r.at("restitution"), 0.8, 0.03);
}

TEST(Impacts, LankaraniNikraveshReboundsAtItsOwnRestitution) {
  for (const auto& [asked, got] : {std::pair{0.5, 0.725}, {0.9, 0.913}}) {
    EXPECT_NEAR(
        (impact<2>("impact_normal", {"setup.law=lankarani-nikravesh", fmt::format("setup.restitution={}", asked)})
             .at("restitution")),
        got, 2e-3);
  }
}

// (A.69): a contact that slides all the time, 2D disks. Spheres: 7/2 in place of 3.
TEST(Impacts, FullSlipFollowsTheClosedForm) {
  for (const double degrees : {70.0, 75.0, 80.0, 85.0}) {
    for (const double e : {0.5, 0.8}) {
      const std::vector<std::string> sets = {fmt::format("setup.angle={} deg", degrees),
                                             fmt::format("setup.restitution={}", e), "setup.friction=0.4"};
      const double cot = 1 / std::tan(degrees * M_PI / 180);
      EXPECT_NEAR(impact<2>("impact_oblique", sets).at("angular_restitution"), -1 + 3 * 0.4 * (1 + e) * cot, 0.002)
          << degrees;
      EXPECT_NEAR(impact<3>("impact_oblique", sets).at("angular_restitution"), -1 + 3.5 * 0.4 * (1 + e) * cot, 0.002)
          << degrees;
    }
  }
}

// The exact equations of appendix A in the stiff limit (no turning of the line of centres), in very small steps: an
// independent computation of beta. With I = m R^2 / 2 the slip obeys q'' = -3 S_s / m_eff'... written out below.
double reference_beta(double degrees, double ratio, double zeta_s, double mu, double e) {
  const double zeta = -std::log(e) / std::sqrt(M_PI * M_PI + std::log(e) * std::log(e));
  // Units: omega_0 = 1, K = 1, m_eff = 1, closing speed cos, slip speed sin.
  const double g = degrees * M_PI / 180, Kt = ratio, Cs = 2 * zeta_s;
  double n = 0, v = std::cos(g), xi = 0, q = std::sin(g);
  const double first = q, dt = 2e-6;
  while (n >= 0) {
    n += v * dt;
    v -= (n + 2 * zeta * v) * dt;
    xi += q * dt;
    double force = Kt * xi + Cs * q;
    if (std::fabs(Kt * xi) > mu * n) {
      xi = std::copysign(mu * n / Kt, xi);
      force = Kt * xi;
    }
    q -= 3 * force * dt;  // 1/m_eff of the centres and R^2/I of both spins: 1 + 2 = 3
  }
  return -q / first;
}

TEST(Impacts, AngularRestitutionOverAnglesStiffnessRatiosAndDampings) {
  for (const double ratio : {0.67, 0.8, 1.0}) {
    for (const double zeta_s : {0.0, 0.05, 0.2}) {
      for (const double degrees : {5.0, 20.0, 40.0, 55.0, 65.0, 80.0}) {
        const Results r = impact<2>("impact_oblique", {fmt::format("setup.angle={} deg", degrees),
                                                       fmt::format("setup.stiffness_ratio={}", ratio),
                                                       fmt::format("setup.shear_damping={}", zeta_s)});
        EXPECT_NEAR(r.at("angular_restitution"), reference_beta(degrees, ratio, zeta_s, 0.5, 0.8), 0.001)
            << degrees << " deg, ks/kn " << ratio << ", zeta_s " << zeta_s;
      }
    }
  }
}

TEST(Impacts, SpinReversalBelowARatioOfAboutPointEight) {
  const auto beta = [](double ratio) {
    return impact<2>("impact_oblique",
                     {"setup.angle=3 deg", "setup.shear_damping=0", fmt::format("setup.stiffness_ratio={}", ratio)})
        .at("angular_restitution");
  };
  EXPECT_GT(beta(0.7), 0);
  EXPECT_LT(beta(0.9), 0);
}

// Errors fall with the square of the step, in spite of the dashpot's jump at first touch; at random moments of touch.
TEST(Impacts, TheSchemeIsOfSecondOrder) {
  const auto error = [](const char* fraction, double e, const char* law) {
    double sum = 0;
    for (const char* speed : {"1", "1.01", "1.023", "1.037"}) {  // other moments of first touch within a step
      const Results r =
          impact<2>("impact_normal", {std::string("time.fraction=") + fraction, fmt::format("setup.restitution={}", e),
                                      std::string("setup.law=") + law, std::string("setup.speed=") + speed});
      sum += std::fabs(r.at("restitution") - e);
    }
    return sum;
  };
  for (const double e : {0.35, 0.9}) {
    const double coarse = error("0.04", e, "linear"), fine = error("0.005", e, "linear");
    EXPECT_GT(std::log(coarse / fine) / std::log(8.0), 1.6) << "order at e = " << e;
  }
}

// Without friction nothing acts along the surface, whatever the dashpot of shear.
TEST(Impacts, WithoutFrictionThereIsNoShear) {
  for (const char* against : {"setup.against=body", "setup.against=wall"}) {
    for (const char* law : {"setup.law=linear", "setup.law=hertz"}) {
      const std::vector<std::string> sets{"setup.friction=0", "setup.shear_damping=0.2", against, law};
      EXPECT_NEAR(impact<2>("impact_oblique", sets).at("angular_restitution"), -1, 1e-5) << against << law;
      EXPECT_NEAR(impact<3>("impact_oblique", sets).at("angular_restitution"), -1, 1e-5) << against << law;
    }
  }
  InMemory<2> m(example("impact_oblique", {"setup.friction=0", "setup.shear_damping=0.2"}));
  m.to_the_end();
  EXPECT_EQ(m.results("energy").at("shear_damping"), 0);
  EXPECT_EQ(m.results("energy").at("rotational"), 0);
}

}  // namespace
